import type { Preview, ThumbnailTarget, VideoPreview } from '#board';
import type { PictureFacts } from '#sources';

/** What a picture process is asked for. */
export type PictureTask =
  | { readonly kind: 'examine'; readonly file: string; readonly contentType: string }
  | { readonly kind: 'rasterise'; readonly file: string; readonly target: string }
  | {
      readonly kind: 'derive';
      readonly file: string;
      readonly contentType: string;
      readonly original: string | null;
      readonly thumbnails: readonly ThumbnailTarget[];
    }
  | {
      readonly kind: 'preview-video';
      readonly file: string;
      readonly thumbnails: readonly ThumbnailTarget[];
    };

/** What comes of each kind of task. */
export interface PictureResults {
  readonly examine: PictureFacts;
  readonly rasterise: PictureFacts;
  readonly derive: PictureFacts & Preview;
  /** `null` where there is nothing to read videos with. */
  readonly 'preview-video': VideoPreview | null;
}

export type ResultOf<Task extends PictureTask> = PictureResults[Task['kind']];

/** What it answers. */
export type PictureReply<Result = PictureResults[keyof PictureResults]> =
  | { readonly type: 'done'; readonly result: Result }
  /** The picture is none, or over a limit that one can tell beforehand. */
  | { readonly type: 'unreadable'; readonly reason: string }
  /** The picture takes too much; the process is still at it and has to be killed. */
  | { readonly type: 'overrun'; readonly of: 'time' | 'memory'; readonly reason: string }
  /** Something is wrong with this machine, not with the picture. */
  | { readonly type: 'failed'; readonly detail: string };

/** A task as it is sent. */
export interface PictureOrder {
  readonly task: PictureTask;
  /** What the whole process may take, in bytes. */
  readonly maxMemory: number;
}
