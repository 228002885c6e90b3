import type { EventLog } from '#events';
import type { CellEnds } from '#generation';
import type { BatchStore } from './ports.ts';

/** Ends batches with their last cells. */
export class BatchEnds implements CellEnds {
  constructor(
    private readonly deps: {
      readonly batches: Pick<BatchStore, 'lock' | 'save' | 'hasOpenCells'>;
      readonly events: EventLog;
    },
  ) {}

  /**
   * The lock lets one after the other of concurrently ended cells look: the last one finds no open cell. So a batch
   * ends once, and its event is recorded once, each time it runs.
   */
  async cellEnded(batchId: number, at: Date): Promise<void> {
    const { batches, events } = this.deps;
    const batch = await batches.lock(batchId);
    if (!batch || batch.state === 'ended' || (await batches.hasOpenCells(batchId))) return;
    await batches.save({ ...batch, state: 'ended', endedAt: at });
    const { workspaceId, customer, webhook } = batch;
    await events.record({ workspaceId, type: 'batch.ended', subjectId: batchId, createdAt: at, customer, webhook });
  }
}
