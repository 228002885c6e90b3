import { exportKey, type ObjectStorage } from '#files';
import type { AccountStore, Confirmations, TokenSecrets } from '#identity';
import type { Clock, JobRun, UnitOfWork } from '#kernel';
import { entriesOf } from './archive.ts';
import { begin, complete, fail, isSameRun, isUnderWay, type RunningExport } from './domain/export.ts';
import type { Archives, ExportStore, PersonalData } from './ports.ts';

/** How often a run checks that its export is still its own. */
const CHECK_MS = 30_000;
/** How long an unfinished zip is kept after the last check: a run that was killed leaves it to the sweep. */
const ABANDONED_MS = 3_600_000;

const HEADERS = { contentType: 'application/zip', cacheControl: 'private, no-store', contentDisposition: 'attachment' };

/** The export was deleted, or a later run has taken it over. */
class ExportTaken extends Error {}

/** The job that makes the zip of an export. */
export class ExportRuns {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'find'>;
      readonly archives: Archives;
      readonly confirmations: Pick<Confirmations, 'notify'>;
      readonly data: PersonalData;
      readonly exports: ExportStore;
      readonly secrets: Pick<TokenSecrets, 'create'>;
      readonly storage: Pick<ObjectStorage, 'open' | 'putStream'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      readonly service: string;
      readonly checkMs?: number;
    },
  ) {}

  /**
   * Makes the zip from the beginning, under a key of its own, so that a run that was killed or taken over spoils
   * nothing. Until the zip is complete the sweep owns it.
   */
  async run(exportId: number, { attempt, signal }: JobRun): Promise<void> {
    const running = await this.#begin(exportId, attempt);
    if (!running) return;
    try {
      const zip = await this.#whileOwned(running, signal, (stopped) => this.#make(running, stopped));
      await this.#complete(running, zip.size);
    } catch (error) {
      await this.#discard(running).catch(() => undefined);
      if (!(error instanceof ExportTaken)) throw error;
    }
  }

  /** Records that the job has failed for good. */
  async fail(exportId: number): Promise<void> {
    const { exports, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      const found = await exports.lock(exportId);
      if (found && isUnderWay(found)) await exports.save(fail(found, clock.now()));
    });
  }

  #begin(exportId: number, attempt: number): Promise<RunningExport | null> {
    const { exports, secrets, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const found = await exports.lock(exportId);
      if (!found || !isUnderWay(found)) return null;
      const running = begin(found, { attempt, key: exportKey(secrets.create()) });
      if (!running) return null;
      await exports.save(running);
      await exports.discard(running.key, this.#abandonedAt());
      return running;
    });
  }

  async #make({ userId, key }: RunningExport, signal: AbortSignal) {
    const { archives, clock, data, service, storage } = this.deps;
    const snapshot = await data.open(userId);
    if (!snapshot) throw new ExportTaken('the account is gone');
    try {
      const entries = entriesOf({ snapshot, storage, userId, takenAt: clock.now(), service, signal });
      return await storage.putStream(key, archives.zip(entries), HEADERS);
    } finally {
      await snapshot.close();
    }
  }

  async #complete(running: RunningExport, size: number): Promise<void> {
    const { accounts, confirmations, exports, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      if (!(await this.#owns(running))) throw new ExportTaken();
      if (!(await exports.keep(running.key))) throw new Error('the zip took too long: it was swept');
      await exports.save(complete(running, size, clock.now()));
      const user = await accounts.find(running.userId);
      if (user) await confirmations.notify(user, 'export_ready');
    });
  }

  /** Has the zip of a run that failed deleted, unless its completion was committed without this being known. */
  async #discard(running: RunningExport): Promise<void> {
    const { exports, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      const current = await exports.lock(running.id);
      const isComplete = current?.state === 'ready' && current.key === running.key;
      if (!isComplete) await exports.discard(running.key, clock.now());
    });
  }

  async #owns(running: RunningExport): Promise<boolean> {
    const current = await this.deps.exports.lock(running.id);
    return current !== null && isSameRun(current, running);
  }

  /** Runs `work`. Its signal is aborted when the worker stops and when the export is no longer its own. */
  async #whileOwned<T>(running: RunningExport, stopping: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    const { exports, unitOfWork, checkMs = CHECK_MS } = this.deps;
    const taken = new AbortController();
    const check = () =>
      unitOfWork.run(async () => {
        if (await this.#owns(running)) await exports.discard(running.key, this.#abandonedAt());
        else taken.abort(new ExportTaken());
      });
    // A check that fails is made up for by the next one.
    const timer = setInterval(() => void check().catch(() => undefined), checkMs);
    try {
      return await work(AbortSignal.any([stopping, taken.signal]));
    } finally {
      clearInterval(timer);
    }
  }

  #abandonedAt(): Date {
    return new Date(this.deps.clock.now().getTime() + ABANDONED_MS);
  }
}
