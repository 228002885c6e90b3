import type { CellEnds } from '#generation';
import type { BatchStore, BatchWebhooks } from './ports.ts';

/** Ends batches with their last cells. */
export class BatchEnds implements CellEnds {
  constructor(
    private readonly deps: {
      readonly batches: Pick<BatchStore, 'lock' | 'save' | 'hasOpenCells'>;
      readonly webhooks: BatchWebhooks;
    },
  ) {}

  /**
   * The lock lets one after the other of concurrently ended cells look: the last one finds no open cell. So a batch
   * ends once, and its webhook is scheduled once, each time it runs.
   */
  async cellEnded(batchId: number, at: Date): Promise<void> {
    const { batches, webhooks } = this.deps;
    const batch = await batches.lock(batchId);
    if (!batch || batch.state === 'ended' || (await batches.hasOpenCells(batchId))) return;
    await batches.save({ ...batch, state: 'ended', endedAt: at });
    const { workspaceId, webhook: url } = batch;
    if (url !== null) await webhooks.schedule({ workspaceId, batchId, url, createdAt: at });
  }
}
