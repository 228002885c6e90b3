import { scheduleFileDeletion } from '#files';
import type { Jobs, JobRun, UnitOfWork } from '#kernel';
import type { Boards } from '../ports/boards.ts';

/** Media deleted in one transaction. */
const BATCH = 1000;

/** Takes away what a deleted board leaves behind, batch by batch; interrupted, it goes on where it was. */
export class PurgeBoard {
  readonly #boards: Boards;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(boards: Boards, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#boards = boards;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  async run(boardId: number, run: JobRun): Promise<void> {
    for (let done = false; !done;) {
      run.signal.throwIfAborted();
      done = await this.#unitOfWork.run(async () => {
        const purged = await this.#boards.purge(boardId, BATCH);
        await scheduleFileDeletion(this.#jobs, purged.fileIds);
        return purged.done;
      });
    }
  }
}
