import type { Readable } from 'node:stream';
import { HEAD_BYTES, outputSourceUri, sourceOf, type FileRecords, type FileTypes, type ObjectStorage } from '#files';
import { placesOf, type GenerationView, type GenerationViews } from '#generation';
import { DomainError, KeyedSemaphore, notFound, Semaphore, type UnitOfWork } from '#kernel';
import type { LibraryItem, LibraryViews } from '#library';
import type { Manifests, PictureDerivatives, TemporaryFolders } from '#sources';
import { statedSource, type FileProvenance, type FoundMark } from './domain/file-provenance.ts';

/** Maximum bytes of a file whose marks are read. */
export const MAX_CHECKED_BYTES = 50 * 1024 * 1024;
/** Files that are read at the same time, and that wait for their turn. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
/** Files of a workspace that wait while one of it is checked: the turns of others are not taken. */
const MAX_WAITING_OF_WORKSPACE = 4;

/** A stored file by its key, or bytes. */
export type FileToCheck = { readonly key: string } | { readonly bytes: Buffer };

interface Collaborators {
  readonly items: Pick<LibraryViews, 'item' | 'ids'>;
  readonly generations: Pick<GenerationViews, 'get'>;
  readonly files: Pick<FileRecords, 'lockByKey'>;
  readonly storage: Pick<ObjectStorage, 'head' | 'open'>;
  readonly fileTypes: FileTypes;
  readonly marks: Pick<PictureDerivatives, 'findMark'>;
  readonly manifests: Pick<Manifests, 'find'>;
  readonly folders: TemporaryFolders;
  readonly unitOfWork: UnitOfWork;
}

/** Where files come from, and the marks in their bytes. */
export class Provenances {
  readonly #places = new Semaphore(AT_ONCE, MAX_WAITING);
  /** Callers send slowly: what is stored does not wait for them. */
  readonly #sent = new Semaphore(AT_ONCE, MAX_WAITING);
  readonly #turns = new KeyedSemaphore<number>(1, MAX_WAITING_OF_WORKSPACE);

  constructor(private readonly deps: Collaborators) {}

  /** @throws DomainError `not_found`, `unavailable` */
  async of(workspaceId: number, fileId: number): Promise<FileProvenance> {
    const item = await this.deps.items.item(workspaceId, fileId);
    if (!item) throw notFound('item');
    const [generation, marks] = [await this.#generationOf(workspaceId, item), await this.#marksOf(item.key)];
    const inputs = generation ? placesOf(generation.request.inputs) : [];
    const keys = inputs.flatMap(({ picture }) => ('key' in picture ? picture.key : []));
    const ids = await this.deps.items.ids(workspaceId, keys);
    return {
      source: sourceOf(item.origin),
      digitalSource: outputSourceUri(generation && inputs.length > 0) ?? statedSource(marks ?? []),
      generationId: item.generationId,
      model: item.model,
      madeAt: item.createdAt,
      parents: [...new Set(keys.flatMap((key) => ids.get(key) ?? []))],
      marks,
    };
  }

  /**
   * The marks of a stored file of the workspace, or of any bytes.
   *
   * @param receive called when it is the caller's turn, so that few files are in memory
   * @throws DomainError `not_found`, `too_large`, `unavailable`; the error of `receive`
   */
  check(workspaceId: number, receive: () => Promise<FileToCheck>): Promise<readonly FoundMark[]> {
    return this.#turns.on(workspaceId, () =>
      this.#sent.on(1, async () => {
        const file = await receive();
        return 'bytes' in file ? this.#read(file.bytes) : this.#marksOfStored(workspaceId, file.key);
      }),
    );
  }

  async #marksOfStored(workspaceId: number, key: string): Promise<readonly FoundMark[]> {
    const { files, unitOfWork } = this.deps;
    const file = await unitOfWork.run(() => files.lockByKey(workspaceId, key));
    if (!file) throw notFound('file');
    const marks = await this.#marksOf(file.key);
    if (!marks) throw new DomainError('too_large', `files of at most ${MAX_CHECKED_BYTES} bytes can be checked`);
    return marks;
  }

  /** `null` for a file that was not generated, and when the generation is gone. */
  async #generationOf(workspaceId: number, { generationId }: LibraryItem): Promise<GenerationView | null> {
    if (generationId === null) return null;
    return this.deps.generations.get(workspaceId, generationId).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'not_found') return null;
      throw error;
    });
  }

  /** `null` for a file that is too large. */
  #marksOf(key: string): Promise<readonly FoundMark[] | null> {
    return this.#places.on(1, async () => {
      const object = await this.deps.storage.head(key);
      if (object && object.size > MAX_CHECKED_BYTES) return null;
      const bytes = await this.deps.storage.open(key);
      return bytes ? this.#read(bytes) : [];
    });
  }

  async #read(bytes: Readable | Buffer): Promise<readonly FoundMark[]> {
    const { folders, fileTypes, marks, manifests } = this.deps;
    return folders.use(async (folder) => {
      const file = `${folder}/file`;
      await folders.save(bytes, file);
      const contentType = await fileTypes.detect(await folders.head(file, HEAD_BYTES));
      if (contentType === null) return [];
      const [xmp, manifest] = [await marks.findMark(file, contentType), await manifests.find(file, contentType)];
      const signed: FoundMark[] = manifest ? [{ kind: 'c2pa', ...manifest }] : [];
      if (xmp === null) return signed;
      const { digitalSource, creatorTool: signer } = xmp;
      return [...signed, { kind: 'xmp', signer, intact: null, trusted: null, digitalSource }];
    });
  }
}
