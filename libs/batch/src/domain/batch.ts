import { DomainError, type CustomData } from '#kernel';
import type { Matrix } from './matrix.ts';

/**
 * `paused`: cells that have not started wait. `canceling`: open cells are being canceled. `ended`: no cell is open; a retry
 * of failed cells makes it `running` again.
 */
export const BATCH_STATES = ['running', 'paused', 'canceling', 'ended'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** Its cells have its custom data, where they have none of their own. */
export interface NewBatch extends CustomData {
  readonly workspaceId: number;
  readonly userId: number;
  readonly name: string;
  /** The URL to call once it has ended. */
  readonly webhook: string | null;
  /** `null` for a batch of rows. */
  readonly matrix: Matrix | null;
  /** The number of its cells. */
  readonly total: number;
  /** Credits reserved for its cells when they were accepted. */
  readonly cost: number;
  readonly createdAt: Date;
}

export interface Batch extends NewBatch {
  readonly id: number;
  readonly state: BatchState;
  readonly endedAt: Date | null;
}

export type BatchCommand = 'pause' | 'resume' | 'cancel' | 'retry';

const NEXT: Readonly<Record<BatchCommand, Partial<Record<BatchState, BatchState>>>> = {
  pause: { running: 'paused', paused: 'paused' },
  resume: { paused: 'running', running: 'running' },
  cancel: { running: 'canceling', paused: 'canceling', canceling: 'canceling' },
  // The new cells of a paused batch wait with the others.
  retry: { running: 'running', paused: 'paused', ended: 'running' },
};

/**
 * The state of a batch after a command; the same state when the command has no effect.
 *
 * @throws DomainError `conflict`
 */
export function stateAfter(command: BatchCommand, state: BatchState): BatchState {
  const next = NEXT[command][state];
  if (next) return next;
  throw new DomainError('conflict', state === 'ended' ? 'the batch has ended already' : 'the batch is being canceled');
}
