import { directUnitOfWork, ManualClock } from '#testing/kernel';
import { InMemoryFileStore, InMemoryObjectStorage } from '#testing/upload';
import { AdoptFile, StoreFile, type StoredFile } from '#upload';
import { ImportPicture } from '../application/import-picture.ts';
import { OpenPicture } from '../application/open-picture.ts';
import { InMemoryPictures } from './in-memory-pictures.ts';
import { InMemoryRemoteSources } from './in-memory-remote-sources.ts';
import { OsTemporaryFolders } from './os-temporary-folders.ts';

/** The use cases on adapters in memory, with a workspace and a persona. */
export class MediaStage {
  readonly clock = new ManualClock();
  readonly store = new InMemoryFileStore();
  readonly storage = new InMemoryObjectStorage(this.clock);
  readonly sources = new InMemoryRemoteSources({ timeoutMs: 50 });
  readonly folders = new OsTemporaryFolders();
  readonly importPicture: ImportPicture;
  readonly openPicture: OpenPicture;
  readonly storeFile: StoreFile;
  workspaceId = 0;
  personaId = 0;

  constructor({ maxBytes = 10_000 } = {}) {
    const { store, storage, sources, folders, clock } = this;
    const pictures = new InMemoryPictures();
    let last = 0;
    const tokens = { next: () => `token-${++last}` };
    const adoptFile = new AdoptFile(store.files, store.uploads, storage, tokens, clock);
    this.storeFile = new StoreFile(store.files, storage, tokens, clock);
    this.importPicture = new ImportPicture(
      adoptFile,
      this.storeFile,
      sources,
      pictures,
      folders,
      directUnitOfWork,
      { maxBytes },
    );
    this.openPicture = new OpenPicture(store.files, storage, sources, pictures, folders, { maxBytes });
  }

  async open(): Promise<void> {
    const { workspaceId, userId } = await this.store.newWorkspace();
    this.workspaceId = workspaceId;
    this.personaId = await this.store.newPersona({ workspaceId, userId });
  }

  /** A file that the workspace, or another one, has already. */
  stored(
    bytes: Buffer,
    { contentType = 'image/png', filename = 'own.png', workspaceId = this.workspaceId } = {},
  ): Promise<StoredFile> {
    return this.storeFile.run({
      workspaceId,
      personaId: null,
      origin: 'output',
      filename,
      contentType,
      bytes,
    });
  }
}
