import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { ManualClock } from '#testing/kernel';
import { InMemoryObjectStorage, type FileStore } from '#testing/files';
import { Files, ServedFiles, StoredUrls, type StoredFile } from '#files';
import { Sources } from '../sources.ts';
import { InMemoryPictures } from './in-memory-pictures.ts';
import { InMemoryRemoteSources } from './in-memory-remote-sources.ts';

/** The use cases with records in a database and bytes in memory, for one workspace and persona. */
export class SourcesStage {
  readonly clock = new ManualClock();
  readonly storage = new InMemoryObjectStorage(this.clock);
  readonly urls = new StoredUrls('https://files.example.com');
  readonly remote = new InMemoryRemoteSources();
  readonly pictures = new InMemoryPictures();
  readonly sources: Sources;
  readonly files: Files;

  static async open(store: FileStore): Promise<SourcesStage> {
    const { workspaceId, userId } = await store.newWorkspace();
    const personaId = await store.newPersona({ workspaceId, userId });
    const root = await mkdtemp(join(tmpdir(), 'x12-work-'));
    return new SourcesStage(store, workspaceId, personaId, root, await DiskTemporaryFolders.open(root));
  }

  private constructor(
    readonly store: FileStore,
    readonly workspaceId: number,
    readonly personaId: number,
    private readonly root: string,
    readonly folders: DiskTemporaryFolders,
  ) {
    const { storage, urls, remote, pictures, clock } = this;
    const { files: records, uploads, unitOfWork } = store;
    const files = new Files(records, uploads, storage, urls, clock, store.space);
    this.files = files;
    this.sources = new Sources({
      files,
      records,
      served: new ServedFiles(records, null, clock),
      storage,
      urls,
      remote,
      pictures,
      folders,
      unitOfWork,
      maxBytes: 10_000,
    });
  }

  /** A stored file of the workspace, or of another one. */
  stored(
    bytes: Buffer,
    { contentType = 'image/png', filename = 'own.png', workspaceId = this.workspaceId } = {},
  ): Promise<StoredFile> {
    const origin = 'output';
    return this.files.store({ workspaceId, personaId: null, origin, filename, contentType, bytes });
  }

  /** @returns the remaining temporary folders */
  async close(): Promise<string[]> {
    const left = await readdir(this.root, { recursive: true });
    await rm(this.root, { recursive: true });
    return left.filter((name) => name.includes('work-'));
  }

  urlOf({ key }: { readonly key: string }): string {
    return this.urls.plainUrlOf(key);
  }
}
