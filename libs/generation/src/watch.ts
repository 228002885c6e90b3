import type { Actor } from '#identity';
import { follow, type LatestChange } from '#kernel';
import type { GenerationChange, GenerationSignals, GenerationView, GenerationViews } from './ports.ts';

/** An event of a watched generation: first its state, then each change of state or progress, last the ended generation. */
export type GenerationEvent =
  | { readonly name: 'state' | 'progress'; readonly change: GenerationChange }
  | { readonly name: 'done'; readonly generation: GenerationView };

type Change = GenerationChange | 'missed';

/** Event streams of generations. */
export class GenerationWatch {
  constructor(
    private readonly signals: Pick<GenerationSignals, 'watch'>,
    private readonly views: Pick<GenerationViews, 'get'>,
  ) {}

  /**
   * Follows a generation to its end. A slow reader gets the latest change only.
   *
   * @param signal ends the events without `done` and frees all resources; must be aborted in the end
   * @throws DomainError `not_found`, `unavailable`
   */
  follow(
    actor: Pick<Actor, 'workspaceId'>,
    generationId: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>> {
    const read = (): Promise<GenerationView> => this.views.get(actor.workspaceId, generationId);
    return follow((onChange) => this.signals.watch(generationId, onChange), read, eventsFrom, signal);
  }
}

async function* eventsFrom(
  first: GenerationView,
  changes: LatestChange<Change>,
  read: () => Promise<GenerationView>,
): AsyncGenerator<GenerationEvent> {
  let known: GenerationChange = { state: first.state, progress: first.progress };
  yield { name: 'state', change: known };
  while (known.state === 'queued' || known.state === 'running') {
    const latest = await changes.next();
    if (latest === null) return;
    const { state, progress } = latest.change === 'missed' ? await read() : latest.change;
    const change = { state, progress };
    if (state !== known.state) yield { name: 'state', change };
    else if (progress !== known.progress) yield { name: 'progress', change };
    known = change;
  }
  yield { name: 'done', generation: await read() };
}
