import { directUnitOfWork, ManualClock, RecordedJobs } from '#testing/kernel';
import { InMemoryFileStore, InMemoryObjectStorage } from '#testing/files';
import { AdoptFile, StoreFile, type FileTypes, type StoredFile } from '#files';
import { ImportPicture } from '../application/import-picture.ts';
import { OpenPicture } from '../application/open-picture.ts';
import { PrepareMedia } from '../application/prepare-media.ts';
import { InMemoryPictures } from './in-memory-pictures.ts';
import { InMemoryRemoteSources } from './in-memory-remote-sources.ts';
import { InMemoryVideos } from './in-memory-videos.ts';
import { OsTemporaryFolders } from './os-temporary-folders.ts';

/** Knows the samples of this folder. */
const sampleTypes: FileTypes = {
  async detect(bytes) {
    const text = bytes.toString('latin1');
    if (text.startsWith('\x89PNG')) return 'image/png';
    if (text.startsWith('<svg ')) return 'image/svg+xml';
    if (text.startsWith('film ')) return 'video/mp4';
    return text.startsWith('glTF') ? 'model/gltf-binary' : null;
  },
};

/** The use cases on adapters in memory, with a workspace and a persona. */
export class MediaStage {
  readonly clock = new ManualClock();
  readonly store = new InMemoryFileStore();
  readonly storage = new InMemoryObjectStorage(this.clock);
  readonly sources = new InMemoryRemoteSources({ timeoutMs: 50 });
  readonly folders = new OsTemporaryFolders();
  readonly importPicture: ImportPicture;
  readonly openPicture: OpenPicture;
  readonly prepareMedia: PrepareMedia;
  readonly jobs = new RecordedJobs();
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
    this.prepareMedia = new PrepareMedia(
      adoptFile,
      this.storeFile,
      storage,
      sampleTypes,
      sources,
      pictures,
      new InMemoryVideos(),
      folders,
      this.jobs,
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
