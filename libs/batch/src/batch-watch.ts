import type { GenerationSignals } from '#generation';
import type { Actor } from '#identity';
import { follow, type LatestChange } from '#kernel';
import type { BatchView, BatchViews } from './ports.ts';

/** An event of a watched batch: first its state, then each change of its state or its cells, last the ended batch. */
export interface BatchEvent {
  readonly name: 'state' | 'progress' | 'done';
  readonly batch: BatchView;
}

/** Cells may change many times a second: a batch is read no more often than this. */
const READ_EVERY_MS = 250;

/** Event streams of batches. */
export class BatchWatch {
  constructor(
    private readonly signals: Pick<GenerationSignals, 'watchBatch'>,
    private readonly views: Pick<BatchViews, 'get'>,
  ) {}

  /**
   * Follows a batch to its end.
   *
   * @param signal ends the events without `done` and frees all resources; must be aborted in the end
   * @throws DomainError `not_found`, `unavailable`
   */
  follow(
    { workspaceId }: Pick<Actor, 'workspaceId'>,
    batchId: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<BatchEvent>> {
    const read = (): Promise<BatchView> => this.views.get(workspaceId, batchId);
    return follow<BatchView, void, BatchEvent>(
      (onChange) => this.signals.watchBatch(batchId, onChange),
      read,
      eventsFrom,
      signal,
    );
  }
}

async function* eventsFrom(
  first: BatchView,
  changes: LatestChange<void>,
  read: () => Promise<BatchView>,
): AsyncGenerator<BatchEvent> {
  let known = first;
  yield { name: 'state', batch: known };
  while (known.state !== 'ended') {
    if (!(await changes.next())) return;
    const batch = await read();
    if (batch.state !== known.state) yield { name: 'state', batch };
    else if (JSON.stringify(batch.cells) !== JSON.stringify(known.cells)) yield { name: 'progress', batch };
    known = batch;
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
  yield { name: 'done', batch: known };
}
