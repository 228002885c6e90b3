import type { MediaItems } from '../ports/media-items.ts';

/** Ends a media whose processing is given up, with the reason that the client is shown. */
export class FailMedia {
  readonly #media: MediaItems;

  constructor(media: MediaItems) {
    this.#media = media;
  }

  async run(mediaId: number, revision: number, error: unknown): Promise<void> {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    await this.#media.fail(mediaId, revision, typeof code === 'string' ? code : 'internal_error');
  }
}
