/** How a picture is shown: its scale, and how far its middle is from the middle of the stage, in pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const MOST = 6;

/** Scales the picture; the point at (x, y) from the middle of the stage stays where it is. */
export function scaled(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(MOST, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

/** The nearest view in which the picture covers as much of the stage as it can. */
export function kept({ scale, x, y }: View, picture: Size, stage: Size): View {
  const within = (value: number, most: number) => Math.min(Math.max(0, most), Math.max(-Math.max(0, most), value));
  return {
    scale,
    x: within(x, (picture.width * scale - stage.width) / 2),
    y: within(y, (picture.height * scale - stage.height) / 2),
  };
}
