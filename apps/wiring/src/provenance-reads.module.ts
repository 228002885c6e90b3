import { join } from 'node:path';
import { C2paManifests } from '#adapters/c2pa';
import { MarkedFileTypes, PictureProcesses, SharpPictures } from '#adapters/images';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { Provenances } from '#provenance';
import { fileRecords } from './files.module.ts';
import { GenerationModule, generationViews } from './generation.module.ts';
import { LibraryModule, libraryViews } from './library.module.ts';
import { settings, unitOfWork } from './platform.ts';
import { provideFrom, SharedModule } from './provide.ts';
import { ProvenanceModule } from './provenance.module.ts';
import { objectStorage } from './storage.module.ts';

/** Reads where files come from. Only the API imports it. */
@SharedModule(
  [ProvenanceModule, LibraryModule, GenerationModule],
  provideFrom(
    Provenances,
    {
      items: libraryViews,
      generations: generationViews,
      files: fileRecords,
      storage: objectStorage,
      manifests: C2paManifests,
      unitOfWork,
      values: settings,
    },
    ({ values: { data }, ...ports }) => {
      const folders = new DiskTemporaryFolders(join(data.folder, 'tmp', 'checks'));
      // A process of its own: files of callers wait for no other pictures.
      const marks = new SharpPictures(new PictureProcesses({ atOnce: 1 }));
      return new Provenances({ ...ports, fileTypes: new MarkedFileTypes(), marks, folders });
    },
  ),
)
export class ProvenanceReadsModule {}
