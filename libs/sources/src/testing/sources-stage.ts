import { ManualClock } from '#testing/kernel';
import { InMemoryObjectStorage, type FileStore } from '#testing/files';
import { Files, StoredUrls, type StoredFile } from '#files';
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
  private readonly files: Files;

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
    const { files: records, uploads, unitOfWork } = store;
    const files = new Files(records, uploads, storage, urls, clock);
    this.files = files;
    const limits = { maxBytes: MAX_BYTES };
    this.sources = new Sources({
      files,
      records,
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
    return this.files.store({ workspaceId, personaId: null, origin, filename, contentType, bytes });
  }

  urlOf({ key }: { readonly key: string }): string {
    return this.urls.urlOf(key);
  }
}
