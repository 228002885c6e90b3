import type { Stroke } from '../drawing/strokes.ts';
import type { Decision } from '../screens/boards/review/decisions.ts';
import type { placeOf } from '../screens/boards/review/threads.ts';

export type Right = 'download' | 'comment' | 'decide';

export interface Folder {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
}

export interface Share {
  readonly name: string;
  readonly allow: readonly Right[];
  readonly expires_at: string | null;
  readonly has_watermark: boolean;
  readonly folders: readonly Folder[];
}

export interface Media {
  readonly id: number;
  readonly kind: 'picture' | 'drawing' | 'video' | 'model';
  readonly name: string;
  readonly folder_id: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnails: readonly { readonly url: string; readonly width: number }[];
  readonly url: string | null;
  /** True if it is a video that is played, also where it may not be downloaded. */
  readonly is_playable: boolean;
  /** True if its pictures for guests are made. */
  readonly is_prepared: boolean;
  readonly decision: Decision;
  readonly comments_count: number;
  readonly version: number;
  /** Ids of the versions up to this one, the first first. */
  readonly versions: readonly number[];
  /** A URI, if an AI system made it; else null. */
  readonly digital_source_type: string | null;
}

export interface Comment {
  readonly id: number;
  readonly parent_id: number | null;
  readonly author: { readonly name: string | null; readonly is_you: boolean };
  readonly text: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly time: number | null;
  readonly drawing: readonly Stroke[] | null;
  readonly created_at: string;
  readonly edited_at: string | null;
  readonly resolved_at: string | null;
}

export interface Opened {
  readonly share: Share;
  readonly guest: { readonly name: string | null };
}

/** Position and drawing of a comment, or the comment that it replies to. */
type Place = ReturnType<typeof placeOf> | { readonly parent_id: number };

/** A refusal of the service; without a response the status is 0. */
export class GuestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Entries of a page, at most. */
const MOST = 200;

/** The service, as a guest of one link may use it. */
export class GuestApi {
  /** Called when the service asks for the password. */
  onLocked: () => void = () => undefined;

  constructor(private readonly token: string) {}

  open() {
    return this.#call<Opened>('GET', '');
  }

  enter(as: { readonly password?: string; readonly name?: string }) {
    return this.#call<Opened>('POST', '/enter', as);
  }

  media(cursor: string | null, limit: number) {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    return this.#call<{ media: Media[]; next_cursor: string | null }>('GET', `/media?limit=${limit}${after}`);
  }

  /** The versions of an item, newest first. */
  versions(mediaId: number) {
    return this.#call<{ media: Media[] }>('GET', `/media/${mediaId}/versions`);
  }

  /** All comments of an item. */
  async comments(mediaId: number): Promise<readonly Comment[]> {
    const all: Comment[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { comments: Comment[]; next_cursor: string | null } = await this.#call(
        ...(['GET', `/media/${mediaId}/comments?limit=${MOST}${after}`] as const),
      );
      all.push(...page.comments);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return all;
  }

  write(mediaId: number, text: string, place: Place) {
    return this.#call<{ comment: Comment }>('POST', `/media/${mediaId}/comments`, { text, ...place });
  }

  edit(mediaId: number, commentId: number, text: string) {
    return this.#call<{ comment: Comment }>('PUT', `/media/${mediaId}/comments/${commentId}`, { text });
  }

  delete(mediaId: number, commentId: number) {
    return this.#call<object>('DELETE', `/media/${mediaId}/comments/${commentId}`);
  }

  decide(mediaId: number, decision: Decision, text: string) {
    return this.#call<object>('PUT', `/media/${mediaId}/decision`, { decision, ...(text !== '' && { text }) });
  }

  /** Tells the makers that the guest is done. */
  done() {
    return this.#call<object>('POST', '/done');
  }

  /** The URL of a video to play. */
  videoUrl({ id, url }: Pick<Media, 'id' | 'url'>): string {
    return url ?? this.#url(`/media/${id}/video`);
  }

  /** Begins the download of a zip of an item, or of all. @throws GuestError when it is refused */
  async download(mediaId?: number): Promise<void> {
    const url = this.#url(`/zip${mediaId === undefined ? '' : `?media_ids=${mediaId}`}`);
    // A refusal would be saved as the zip.
    const { ok, status } = await fetch(url, { method: 'HEAD' }).catch(() => ({ ok: false, status: 0 }));
    if (!ok) throw new GuestError(status, status === 409 ? 'download_running' : '', '');
    location.assign(url);
  }

  #url(path: string): string {
    return `/v2/shared/${this.token}${path}`;
  }

  async #call<T>(method: string, path: string, json?: object): Promise<T> {
    let response: Response;
    let body: { code?: string; message?: string };
    try {
      response = await fetch(this.#url(path), {
        method,
        ...(json && { body: JSON.stringify(json), headers: { 'Content-Type': 'application/json' } }),
      });
      body = (await response.json()) as typeof body;
    } catch {
      throw new GuestError(0, 'network_error', '');
    }
    if (response.ok) return body as T;
    if (body.code === 'share_password_required' && path !== '/enter') this.onLocked();
    throw new GuestError(response.status, body.code ?? '', body.message ?? '');
  }
}
