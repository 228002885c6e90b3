/** What the provider asks of the process that renders: plain data, sent as JSON. */
export type RenderTask = ImageTask | VideoTask | { readonly kind: 'probe-video' };

interface Source {
  readonly prompt: string | null;
  readonly seed: number;
  readonly strength: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly styleReference: string | null;
}

export interface ImageTask extends Source {
  readonly kind: 'image';
  readonly image: string | null;
  /** One file an output. */
  readonly files: readonly string[];
}

export interface VideoTask extends Source {
  readonly kind: 'video';
  readonly image: string;
  /** Seconds, and frames a second. */
  readonly duration: number;
  readonly fps: number;
  readonly files: readonly [string];
}

/** Pixels, and seconds for a video. */
export interface RenderedFile {
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

/** What the rendering process says. */
export type RenderMessage =
  | { readonly type: 'progress'; readonly fraction: number }
  | { readonly type: 'done'; readonly files: readonly RenderedFile[] }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly retryable: boolean;
      readonly detail: string;
    };

/** Tells how far the work is, 0..1, and lets the event loop breathe. */
export type ReportProgress = (fraction: number) => Promise<void>;
