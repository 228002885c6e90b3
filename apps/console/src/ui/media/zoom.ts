/** How a picture is shown: its scale, and how far its middle is from the middle of its stage. */
export interface View {
  /** 1 shows the whole picture. */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/**
 * Scales a picture, so that the detail at one point is at another point afterwards.
 *
 * @param most the largest scale
 * @param from from the middle of the stage, as `to`
 */
export function zoomed(view: View, factor: number, most: number, from: Point, to: Point = from): View {
  const scale = Math.min(most, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: to.x - (from.x - view.x) * by, y: to.y - (from.y - view.y) * by };
}

/** The nearest view in which the picture covers as much of the stage as it can. */
export function kept({ scale, x, y }: View, picture: Size, stage: Size): View {
  const within = (value: number, over: number) => {
    const most = Math.max(0, over / 2);
    // The sum makes a zero of a negative zero.
    return Math.min(most, Math.max(-most, value)) + 0;
  };
  return {
    scale,
    x: within(x, picture.width * scale - stage.width),
    y: within(y, picture.height * scale - stage.height),
  };
}
