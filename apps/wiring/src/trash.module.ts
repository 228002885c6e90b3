import { Database, PostgresDeletions, PostgresFolders, PostgresTrash } from '#adapters/postgres';
import { FileDeletion } from '#files';
import { Generations } from '#generation';
import { Deletions, Trash, type TrashStore } from '#trash';
import { BoardModule } from './board.module.ts';
import { FilesModule } from './files.module.ts';
import { GenerationModule } from './generation.module.ts';
import { auditLog, clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideWith, SharedModule, token } from './provide.ts';

export const trashStore = token<TrashStore>('TrashStore');

/** Deleted items that can be restored. */
@SharedModule(
  [BoardModule],
  provideAs(trashStore, PostgresTrash, Database),
  provideWith(Trash, { auditLog, trash: trashStore, folders: PostgresFolders, jobs, unitOfWork, clock }),
)
export class TrashModule {}

/** Completes deletions. Only the worker imports it. */
@SharedModule(
  [FilesModule, GenerationModule],
  provide(PostgresDeletions, Database),
  provideWith(Deletions, {
    deletions: PostgresDeletions,
    files: FileDeletion,
    generations: Generations,
    jobs,
    unitOfWork,
    clock,
  }),
)
export class DeletionsModule {}
