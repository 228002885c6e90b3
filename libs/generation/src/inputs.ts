import { fileNameOf, partsOfFileKey, STORED_TYPES, type StoredUrls } from '#files';
import { forEach } from '#kernel';
import { SourceFailure, type Sources } from '#sources';
import type { GenerationRequest } from './domain/generation.ts';
import { inputSetOf, placesOf, type Placed } from './domain/input-set.ts';
import type { InputSource } from './domain/resolve-inputs.ts';
import { InputFailure } from './failures.ts';
import type { RemoteInput, RemoteInputs } from './ports.ts';

type Requested = Pick<GenerationRequest, 'workspaceId' | 'inputs'>;

const CONCURRENCY = 3;

/** The input pictures of a generation as local files. */
export class InputFiles {
  constructor(
    private readonly deps: {
      readonly sources: Pick<Sources, 'openPicture'>;
      readonly urls: Pick<StoredUrls, 'urlOf'>;
      /** The URL of a stored file; `null` when it is not public. */
      readonly publicUrlOf: (key: string) => string | null;
    },
  ) {}

  /**
   * Opens the pictures as new files in `folder`. When one fails, the others are aborted before this throws.
   *
   * @throws InputFailure for an unusable picture; DomainError `unavailable`; the signal's reason when it is aborted
   */
  async open(request: Requested, folder: string, signal: AbortSignal): Promise<RemoteInputs> {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const opened: Placed<RemoteInput>[] = [];
    const places = placesOf(request.inputs);
    await forEach(places.entries(), CONCURRENCY, async ([index, place]) => {
      if (either.aborted) return;
      const opening = this.#open(request.workspaceId, place, folder, either);
      await opening.then(
        (picture) => (opened[index] = { ...place, picture }),
        (error: unknown) => failed.abort(error),
      );
    });
    either.throwIfAborted();
    return inputSetOf(opened);
  }

  async #open(
    workspaceId: number,
    place: Placed<InputSource>,
    folder: string,
    signal: AbortSignal,
  ): Promise<RemoteInput> {
    const { picture: source } = place;
    const url = 'key' in source ? this.deps.urls.urlOf(source.key) : source.url;
    try {
      const picture = { workspaceId, url, fileId: source.fileId, signal };
      const { file, contentType } = await this.deps.sources.openPicture(picture, folder);
      return { file, contentType, url: 'key' in source ? this.#publicUrlOf(source.key, contentType) : null };
    } catch (error) {
      throw error instanceof SourceFailure ? new InputFailure(place, error) : error;
    }
  }

  /** `null` for a temporary file, which may expire before a vendor fetches it, and for a converted drawing. */
  #publicUrlOf(key: string, contentType: string): string | null {
    const { extension, temporary } = fileNameOf(partsOfFileKey(key)!.filename, STORED_TYPES);
    return temporary || STORED_TYPES[extension] !== contentType ? null : this.deps.publicUrlOf(key);
  }
}
