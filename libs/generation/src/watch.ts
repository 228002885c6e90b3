import type { Actor } from '#identity';
import type { GenerationChange, GenerationSignals, GenerationView, GenerationViews } from './ports.ts';

/** An event of a watched generation: first its state, then each change of state or progress, last the ended generation. */
export type GenerationEvent =
  | { readonly name: 'state' | 'progress'; readonly change: GenerationChange }
  | { readonly name: 'done'; readonly generation: GenerationView };

type Change = GenerationChange | 'missed';

/** Event streams of generations. */
export class GenerationWatch {
  constructor(
    private readonly signals: GenerationSignals,
    private readonly views: Pick<GenerationViews, 'get'>,
  ) {}

  /**
   * Follows a generation to its end. A slow reader gets the latest change only.
   *
   * @param signal ends the events without `done` and frees all resources; must be aborted in the end
   * @throws DomainError `not_found`, `unavailable`
   */
  async follow(
    actor: Pick<Actor, 'workspaceId'>,
    generationId: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>> {
    const changes = new LatestChange(signal);
    const stop = await this.signals.watch(generationId, (change) => changes.put(change));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const read = (): Promise<GenerationView> => this.views.get(actor.workspaceId, generationId);
    try {
      return eventsFrom(await read(), changes, read);
    } catch (error) {
      stop();
      throw error;
    }
  }
}

async function* eventsFrom(
  first: GenerationView,
  changes: LatestChange,
  read: () => Promise<GenerationView>,
): AsyncGenerator<GenerationEvent> {
  let known: GenerationChange = { state: first.state, progress: first.progress };
  yield { name: 'state', change: known };
  while (known.state === 'queued' || known.state === 'running') {
    const latest = await changes.next();
    if (latest === null) return;
    const { state, progress } = latest === 'missed' ? await read() : latest;
    const change = { state, progress };
    if (state !== known.state) yield { name: 'state', change };
    else if (progress !== known.progress) yield { name: 'progress', change };
    known = change;
  }
  yield { name: 'done', generation: await read() };
}

/** Keeps the latest unread change. */
class LatestChange {
  #latest: Change | null = null;
  #ended = false;
  #wake = (): void => undefined;

  constructor(signal: AbortSignal) {
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }

  put(change: Change): void {
    this.#latest = change;
    this.#wake();
  }

  /** Waits for a change; `null` once the signal is aborted. */
  async next(): Promise<Change | null> {
    while (!this.#latest && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#ended) return null;
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }
}
