import { Database, PostgresFolders, PostgresTrash } from '#adapters/postgres';
import { Trash, type TrashStore } from '#trash';
import { BoardModule } from './board.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provideAs, provideWith, SharedModule, token } from './provide.ts';

export const trashStore = token<TrashStore>('TrashStore');

/** What was deleted and can be restored. */
@SharedModule(
  [BoardModule],
  provideAs(trashStore, PostgresTrash, Database),
  provideWith(Trash, { trash: trashStore, folders: PostgresFolders, jobs, unitOfWork, clock }),
)
export class TrashModule {}
