import type { JsonValue } from '#catalogue';
import {
  fileNameOf,
  partsOfFileKey,
  PRIVATE_TYPES,
  STORED_TYPES,
  type Files,
  type ObjectStorage,
  type StoredUrls,
} from '#files';
import { forEach } from '#kernel';
import { SourceFailure, type MaskForm, type Sources, type TemporaryFolders } from '#sources';
import type { GenerationRequest } from './domain/generation.ts';
import { inputSetOf, placesOf, type Placed } from './domain/input-set.ts';
import type { InputSource } from './domain/resolve-inputs.ts';
import { InputFailure } from './failures.ts';
import { withPreparedMask, type PictureSize } from './masks.ts';
import {
  ProviderFailure,
  type InputPicture,
  type RemoteInput,
  type RemoteInputs,
  type RemoteStyle,
  type RemoteWeights,
} from './ports.ts';

type Requested = Pick<GenerationRequest, 'workspaceId' | 'inputs'>;
type Styled = Pick<GenerationRequest, 'trainedStyle'>;

const CONCURRENCY = 3;
/** Longer side of the pictures that a style is trained on, in pixels: no trainer uses more. */
const TRAINING_EDGE = 1_536;
/** A reference of a vendor, in JSON. */
const MAX_REFERENCE_BYTES = 64 * 1024;

/** The inputs of a generation as local files: pictures, and the trained style. */
export class InputFiles {
  constructor(
    private readonly deps: {
      readonly sources: Pick<Sources, 'openPicture' | 'readMask'>;
      readonly urls: Pick<StoredUrls, 'plainUrlOf'>;
      /** A URL of a stored file, for an hour if it is private; `null` when vendors can't reach the service. */
      readonly publicUrlOf: (workspaceId: number, key: string) => Promise<string | null>;
      /** A URL of a private object for an hour; `null` when vendors can't reach the service. */
      readonly signedUrlOf: (key: string) => Promise<string | null>;
      readonly files: Pick<Files, 'read'>;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly folders: Pick<TemporaryFolders, 'save'>;
    },
  ) {}

  /**
   * Opens the pictures as new files in `folder`. When one fails, the others are aborted before this throws.
   *
   * @param form how the model takes the mask
   * @throws InputFailure for an unusable picture; ProviderFailure `invalid_input` for a mask that does not fit;
   * DomainError `unavailable`; the signal's reason when it is aborted
   */
  async open(request: Requested, folder: string, signal: AbortSignal, form: MaskForm = 'white'): Promise<RemoteInputs> {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const opened: Placed<RemoteInput>[] = [];
    const sizes = new Map<string, PictureSize>();
    const places = placesOf(request.inputs);
    await forEach(places.entries(), CONCURRENCY, async ([index, place]) => {
      if (either.aborted) return;
      const opening = this.#open(request.workspaceId, place, folder, sizes, either);
      await opening.then(
        (picture) => (opened[index] = { ...place, picture }),
        (error: unknown) => failed.abort(error),
      );
    });
    either.throwIfAborted();
    return withPreparedMask(inputSetOf(opened), sizes, form, this.deps.sources);
  }

  /**
   * The file of the trained style that a generation uses, as a new file in `folder`; `null` when it uses none.
   *
   * @throws ProviderFailure `invalid_input` when it is gone; DomainError `unavailable`
   */
  async openStyle({ trainedStyle }: Styled, folder: string, signal: AbortSignal): Promise<InputPicture | null> {
    const weights = trainedStyle?.weights;
    if (!weights) return null;
    const stored = await this.deps.storage.open(weights.key);
    if (!stored) throw styleGone();
    const file = `${folder}/style`;
    await this.deps.folders.save(stored, file, signal);
    return { file, contentType: styleTypeOf(weights.key) };
  }

  /** The trained style for a vendor; `null` when the generation neither uses nor trains one. */
  async styleFor(request: Styled, folder: string, signal: AbortSignal): Promise<RemoteStyle | null> {
    const { trainedStyle } = request;
    if (!trainedStyle) return null;
    return { trigger: trainedStyle.trigger, weights: await this.#weightsFor(request, folder, signal) };
  }

  async #weightsFor(request: Styled, folder: string, signal: AbortSignal): Promise<RemoteWeights | null> {
    const key = request.trainedStyle?.weights?.key;
    if (key === undefined) return null;
    if (styleTypeOf(key) === PRIVATE_TYPES.json) {
      const bytes = await this.deps.files.read(key, MAX_REFERENCE_BYTES);
      if (!bytes) throw styleGone();
      const content = JSON.parse(bytes.toString()) as { readonly reference?: JsonValue };
      if (content.reference === undefined) throw styleOfOtherVendor();
      return { reference: content.reference };
    }
    const url = await this.deps.signedUrlOf(key);
    return url === null ? this.openStyle(request, folder, signal) : { url };
  }

  async #open(
    workspaceId: number,
    place: Placed<InputSource>,
    folder: string,
    sizes: Map<string, PictureSize>,
    signal: AbortSignal,
  ): Promise<RemoteInput> {
    const { input, picture: source } = place;
    const isTraining = input === 'pictures';
    const url = 'key' in source ? this.deps.urls.plainUrlOf(source.key) : source.url;
    try {
      const picture = { workspaceId, url, fileId: source.fileId, signal };
      const { file, contentType, ...size } = await this.deps.sources.openPicture(
        picture,
        folder,
        isTraining ? TRAINING_EDGE : undefined,
      );
      sizes.set(file, size);
      const isAsStored = 'key' in source && !isTraining;
      return {
        file,
        contentType,
        url: isAsStored ? await this.#publicUrlOf(workspaceId, source.key, contentType) : null,
      };
    } catch (error) {
      throw error instanceof SourceFailure ? new InputFailure(place, error) : error;
    }
  }

  /** `null` for a temporary file, which may expire before a vendor fetches it, and for a converted drawing. */
  async #publicUrlOf(workspaceId: number, key: string, contentType: string): Promise<string | null> {
    const { extension, temporary } = fileNameOf(partsOfFileKey(key)!.filename, STORED_TYPES);
    return temporary || STORED_TYPES[extension] !== contentType ? null : this.deps.publicUrlOf(workspaceId, key);
  }
}

function styleTypeOf(key: string): string {
  return PRIVATE_TYPES[key.split('.').at(-1) as keyof typeof PRIVATE_TYPES];
}

function styleGone(): ProviderFailure {
  return new ProviderFailure('invalid_input', 'the trained style is no longer stored');
}

/** A local style, whose family a model of a vendor has by mistake. */
function styleOfOtherVendor(): ProviderFailure {
  return new ProviderFailure('invalid_input', 'the trained style is not one of this vendor');
}
