import type { PictureFacts } from '#media';

/** What a picture process is asked for. */
export type PictureTask =
  | { readonly kind: 'examine'; readonly file: string; readonly contentType: string }
  | { readonly kind: 'rasterise'; readonly file: string; readonly target: string };

/** What it answers. */
export type PictureReply =
  | { readonly type: 'done'; readonly facts: PictureFacts }
  /** The picture is none, or over a limit that one can tell beforehand. */
  | { readonly type: 'unreadable'; readonly reason: string }
  /** The picture takes too much time or memory; the process is still at it and has to be killed. */
  | { readonly type: 'overrun'; readonly reason: string }
  /** Something is wrong with this machine, not with the picture. */
  | { readonly type: 'failed'; readonly detail: string };
