import { randomUUID } from 'node:crypto';
import { ManualClock } from '#testing/kernel';
import { InMemoryObjectStorage, type FileStore } from '#testing/files';
import { AdoptFile, StoredUrls, StoreFile, type StoredFile } from '#files';
import { Sources } from '../sources.ts';
import { InMemoryPictures } from './in-memory-pictures.ts';
import { InMemoryRemoteSources } from './in-memory-remote-sources.ts';
import { OsTemporaryFolders } from './os-temporary-folders.ts';

const MAX_BYTES = 10_000;

/** The use cases on records of a database and bytes in memory, with a workspace and a persona. */
export class SourcesStage {
  readonly clock = new ManualClock();
  readonly storage = new InMemoryObjectStorage(this.clock);
  readonly urls = new StoredUrls('https://files.example.com');
  readonly remote = new InMemoryRemoteSources({ timeoutMs: 50 });
  readonly folders = new OsTemporaryFolders();
  readonly pictures = new InMemoryPictures();
  readonly sources: Sources;
  private readonly storeFile: StoreFile;

  static async open(store: FileStore): Promise<SourcesStage> {
    const { workspaceId, userId } = await store.newWorkspace();
    return new SourcesStage(store, workspaceId, await store.newPersona({ workspaceId, userId }));
  }

  private constructor(
    readonly store: FileStore,
    readonly workspaceId: number,
    readonly personaId: number,
  ) {
    const { storage, urls, remote, folders, pictures, clock } = this;
    const { files, uploads, unitOfWork } = store;
    const tokens = { next: () => randomUUID() };
    const adoptFile = new AdoptFile(files, uploads, storage, tokens, clock);
    const storeFile = new StoreFile(files, storage, tokens, clock);
    this.storeFile = storeFile;
    const limits = { maxBytes: MAX_BYTES };
    this.sources = new Sources({
      adoptFile,
      storeFile,
      files,
      storage,
      urls,
      remote,
      pictures,
      folders,
      unitOfWork,
      limits,
    });
  }

  /** A file that the workspace, or another one, has already. */
  stored(
    bytes: Buffer,
    { contentType = 'image/png', filename = 'own.png', workspaceId = this.workspaceId } = {},
  ): Promise<StoredFile> {
    const origin = 'output';
    return this.storeFile.run({ workspaceId, personaId: null, origin, filename, contentType, bytes });
  }

  urlOf({ key }: { readonly key: string }): string {
    return this.urls.urlOf(key);
  }
}
