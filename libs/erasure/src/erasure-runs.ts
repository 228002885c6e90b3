import { deletionBy, type FileDeletion } from '#files';
import type { Generations } from '#generation';
import { JobPostponed, type Clock, type UnitOfWork } from '#kernel';
import type { Deletions } from '#trash';
import { finish } from './domain/erasure.ts';
import type { ErasedWorkspaces, ErasureStore } from './ports.ts';

/** Rows changed in one transaction. */
const GROUP_SIZE = 1000;
/** Delay before what was locked, or is still canceled at a provider, is tried again. */
const RETRY_SECONDS = 5;

/** Completes erasures after their requests. Run by the job `account.erase`. */
export class ErasureRuns {
  constructor(
    private readonly deps: {
      readonly erasures: Pick<ErasureStore, 'find' | 'clearAuditLog' | 'finish'>;
      readonly workspaces: ErasedWorkspaces;
      readonly deletions: Pick<Deletions, 'carryOut'>;
      readonly files: Pick<FileDeletion, 'erase'>;
      readonly generations: Pick<Generations, 'endOfWorkspace'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Erases what is left of a person. A run that was interrupted is continued by the next one.
   *
   * @throws JobPostponed while something is locked, or a generation is still to be canceled at its provider
   * @throws DomainError `unavailable`
   */
  async run(userId: number, signal: AbortSignal): Promise<void> {
    const { erasures, unitOfWork, clock } = this.deps;
    const erasure = await erasures.find(userId);
    if (erasure?.state !== 'requested') return;
    for (const workspaceId of erasure.workspaceIds) await this.#eraseWorkspace(workspaceId, userId, signal);
    await this.#inGroups(signal, async () => (await erasures.clearAuditLog(userId, GROUP_SIZE)) === GROUP_SIZE);
    if (await unitOfWork.run(() => erasures.finish(finish(erasure, clock.now())))) return;
    throw new JobPostponed('a workspace was added meanwhile', RETRY_SECONDS);
  }

  async #eraseWorkspace(id: number, userId: number, signal: AbortSignal): Promise<void> {
    const { workspaces, deletions, files, generations, unitOfWork, clock } = this.deps;
    await generations.endOfWorkspace(id, signal);
    const deletion = deletionBy(userId, clock.now(), 0);
    await this.#inGroups(signal, () => workspaces.deleteItems(id, deletion, GROUP_SIZE));
    await this.#inPages(
      (after) => workspaces.entriesAfter(id, after, GROUP_SIZE),
      (ids) => deletions.carryOut(ids, signal),
    );
    await this.#inGroups(signal, async () => (await workspaces.deleteGenerations(id, GROUP_SIZE)) === GROUP_SIZE);
    await unitOfWork.run(() => workspaces.endGrace(id, clock.now()));
    await this.#inPages(
      (after) => workspaces.filesAfter(id, after, GROUP_SIZE),
      (ids) => files.erase(ids, signal),
    );
    // Deletes the bytes that are due, also when no file was left.
    await files.erase([], signal);
    await this.#inGroups(signal, async () => (await workspaces.clearAuditLog(id, GROUP_SIZE)) === GROUP_SIZE);
    if (await unitOfWork.run(() => workspaces.delete(id))) return;
    throw new JobPostponed('a file is locked, or a generation is still to be canceled', RETRY_SECONDS);
  }

  /** Repeats `step`, each time in a unit of work, until it returns false. */
  async #inGroups(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
    do signal.throwIfAborted();
    while (await this.deps.unitOfWork.run(step));
  }

  /** Works once on each id. */
  async #inPages(
    pageAfter: (id: number) => Promise<readonly number[]>,
    work: (ids: readonly number[]) => Promise<void>,
  ): Promise<void> {
    for (let page = await pageAfter(0); page.length > 0; page = await pageAfter(page.at(-1)!)) await work(page);
  }
}
