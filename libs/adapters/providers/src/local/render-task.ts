/** Data for the rendering process, sent as JSON. */
export type RenderTask =
  | ImageTask
  | VideoTask
  | StyleTask
  | EditTask
  | RegionsTask
  | { readonly kind: 'probe-video'; readonly files: readonly [] };

export interface ImageTask {
  readonly kind: 'image';
  readonly prompt: string | null;
  readonly image: string | null;
  readonly styleReference: string | null;
  readonly trainedStyle: string | null;
  readonly seed: number;
  /** 0 keeps the input as it is, 1 redraws it fully. */
  readonly strength: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** One file per output. */
  readonly files: readonly string[];
}

export interface VideoTask extends Omit<ImageTask, 'kind' | 'image'> {
  readonly kind: 'video';
  readonly image: string;
  readonly seconds: number;
  readonly fps: number;
}

export interface StyleTask {
  readonly kind: 'style';
  readonly pictures: readonly string[];
  readonly files: readonly [string];
}

/** Paints into the white area of a mask, which has the size of the image. */
export interface EditTask extends Pick<ImageTask, 'prompt' | 'styleReference' | 'trainedStyle' | 'seed' | 'files'> {
  readonly kind: 'edit';
  readonly image: string;
  readonly mask: string;
}

/** Finds regions: at most one for each file, the largest first. */
export interface RegionsTask {
  readonly kind: 'regions';
  readonly image: string;
  readonly files: readonly string[];
}

/** Size in pixels, which a style does not have, and the length in seconds of a video. */
export interface RenderedFile {
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
  /** For a region. */
  readonly label?: string;
  /** For a region: 0..1. */
  readonly score?: number;
}

/** A message from the rendering process. */
export type RenderMessage = { readonly type: 'progress'; readonly fraction: number } | RenderOutcome;

export type RenderOutcome =
  | { readonly type: 'done'; readonly files: readonly RenderedFile[] }
  | { readonly type: 'failed'; readonly message: string; readonly retryable: boolean; readonly detail: string };

/** Reports the finished fraction, 0..1, and yields to the event loop. */
export type ReportProgress = (fraction: number) => Promise<void>;
