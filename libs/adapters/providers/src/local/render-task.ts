/** Data for the rendering process, sent as JSON. */
export type RenderTask = ImageTask | VideoTask | { readonly kind: 'probe-video'; readonly files: readonly [] };

export interface ImageTask {
  readonly kind: 'image';
  readonly prompt: string | null;
  readonly image: string | null;
  readonly styleReference: string | null;
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

/** Size in pixels, and the length in seconds of a video. */
export interface RenderedFile {
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

/** A message from the rendering process. */
export type RenderMessage = { readonly type: 'progress'; readonly fraction: number } | RenderOutcome;

export type RenderOutcome =
  | { readonly type: 'done'; readonly files: readonly RenderedFile[] }
  | { readonly type: 'failed'; readonly message: string; readonly retryable: boolean; readonly detail: string };

/** Reports the finished fraction, 0..1, and yields to the event loop. */
export type ReportProgress = (fraction: number) => Promise<void>;
