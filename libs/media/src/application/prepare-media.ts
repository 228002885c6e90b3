import type { ObjectStorage, StoredFile } from '#upload';
import type { ImportPicture } from './import-picture.ts';

/** Brings what a media of a board is made of into the object storage. */
export class PrepareMedia {
  readonly #importPicture: Pick<ImportPicture, 'run'>;
  readonly #storage: Pick<ObjectStorage, 'publicUrl'>;

  constructor(importPicture: Pick<ImportPicture, 'run'>, storage: Pick<ObjectStorage, 'publicUrl'>) {
    this.#importPicture = importPicture;
    this.#storage = storage;
  }

  /** @throws SourceFailure; DomainError */
  async prepare(
    workspaceId: number,
    sources: { readonly url: string | null; readonly controlImage: string | null },
    signal: AbortSignal,
  ) {
    const bring = async (url: string | null): Promise<StoredFile | null> =>
      url === null ? null : this.#importPicture.run({ workspaceId, personaId: null, url, signal });
    const main = await bring(sources.url);
    const control = await bring(sources.controlImage);
    const files = [main, control].filter((file) => file !== null);
    return {
      url: main && this.#storage.publicUrl(main.key),
      controlImage: control && this.#storage.publicUrl(control.key),
      contentType: files[0]?.contentType ?? null,
      width: null,
      height: null,
      duration: null,
      placeholder: null,
      thumbnails: [],
      fileIds: files.map(({ id }) => id),
    };
  }
}
