import type { AuditLog } from '#audit-log';
import type { Actor } from '#identity';
import { DomainError, forEach, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { placeOf, privatePlaceOf } from './domain/object-key.ts';
import type { FileMode, FileMoveProgress, WorkspaceFiles } from './domain/workspace-files.ts';
import type { FileSignatures, MovingFile, ObjectStorage, WorkspaceFileRecords } from './ports.ts';

/** Files that are locked at a time while their objects move. */
const GROUP_SIZE = 50;
/** Objects that move at the same time, each by calls of its own. */
const MOVED_AT_ONCE = 8;
const WORKSPACES_A_SWEEP = 100;

/** The files of a workspace, and the progress of a switch. */
export interface WorkspaceFilesView {
  readonly files: WorkspaceFiles;
  /** `null` when no file is at the other place. */
  readonly moving: FileMoveProgress | null;
}

/** Switches workspaces between public and private files, and rotates the keys that sign their URLs. */
export class PrivateFiles {
  readonly #groupSize: number;

  constructor(
    private readonly deps: {
      readonly records: WorkspaceFileRecords;
      /** Finds the objects of files at either place. */
      readonly storage: Pick<ObjectStorage, 'copy'>;
      /** Deletes objects at exactly this place. */
      readonly places: Pick<ObjectStorage, 'delete'>;
      readonly signatures: FileSignatures | null;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** Files per unit of work; 50 by default. */
      readonly groupSize?: number;
    },
  ) {
    this.#groupSize = deps.groupSize ?? GROUP_SIZE;
  }

  /** @throws DomainError `not_found` */
  async get(workspaceId: number): Promise<WorkspaceFilesView> {
    const { records } = this.deps;
    return { files: await records.find(workspaceId), moving: await records.progressOf(workspaceId) };
  }

  /**
   * Chooses who can read the files of the workspace. Responses have the new URLs at once; the former ones open until the
   * objects of all files have moved.
   *
   * @throws DomainError `conflict` when the service has no secret for signatures
   */
  async change({ workspaceId }: Actor, mode: FileMode): Promise<WorkspaceFilesView> {
    const { records, signatures, auditLog, jobs, unitOfWork, clock } = this.deps;
    if (mode === 'private' && !signatures) {
      throw new DomainError('conflict', 'the service cannot sign URLs: its operator has to set STORAGE_SIGNING_SECRET');
    }
    await unitOfWork.run(async () => {
      if (!(await records.change(workspaceId, mode === 'private', clock.now()))) return;
      await auditLog.record({
        action: 'workspace.files_change',
        target: workspaceId,
        details: { files: mode },
        workspaceId,
      });
      await jobs.announce({ name: 'files.move', payload: { workspaceId }, workspaceId });
    });
    return this.get(workspaceId);
  }

  /** Rotates the key of the workspace: URLs that were signed before are valid for one more hour. */
  async rotateKey({ workspaceId }: Actor): Promise<WorkspaceFilesView> {
    const { records, auditLog, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      await records.rotateKey(workspaceId, clock.now());
      await auditLog.record({ action: 'workspace.file_key_rotate', target: workspaceId, details: {}, workspaceId });
    });
    return this.get(workspaceId);
  }

  /**
   * Moves the objects of a workspace's files to the place of its mode. May run at the same time as other moves, and after
   * an interrupted one.
   *
   * @returns false if files were left that others had locked: call it again
   * @throws DomainError `unavailable`; the reason of `signal` when that is aborted
   */
  async move(workspaceId: number, signal: AbortSignal): Promise<boolean> {
    const { records, unitOfWork } = this.deps;
    let moved: number;
    do {
      moved = 0;
      for (let after = 0; ;) {
        signal.throwIfAborted();
        const group = await records.beginMoves(workspaceId, after, this.#groupSize);
        if (group.length === 0) break;
        moved += await unitOfWork.run(() => this.#moveGroup(group));
        after = group.at(-1)!;
      }
      if (await unitOfWork.run(() => records.finishMove(workspaceId))) return true;
    } while (moved > 0);
    return false;
  }

  /** Continues all moves. @returns the number of workspaces whose files have all moved */
  async sweep(signal: AbortSignal): Promise<number> {
    let done = 0;
    for (const workspaceId of await this.deps.records.misplaced(WORKSPACES_A_SWEEP)) {
      if (await this.move(workspaceId, signal)) done++;
    }
    return done;
  }

  /**
   * Repeats an interrupted move, maybe the other way: the object is found wherever it is, and deleted where it is not to be.
   */
  async #moveGroup(fileIds: readonly number[]): Promise<number> {
    const { records, storage, places } = this.deps;
    const group = await records.takeMoving(fileIds);
    const moving = group.filter(({ key }) => privatePlaceOf(key) !== key);
    await forEach(moving, MOVED_AT_ONCE, (file) => storage.copy(file.key, to(file), {}));
    await places.delete(moving.map(from));
    await records.endMoves(group);
    return group.length;
  }
}

const from = ({ key, toPrivate }: MovingFile) => placeOf({ key, isPrivate: !toPrivate });
const to = ({ key, toPrivate }: MovingFile) => placeOf({ key, isPrivate: toPrivate });
