import type { Actor } from '#identity';
import type { GenerationState } from '../domain/generation.ts';
import type { GenerationChange, GenerationSignals } from '../ports/generation-signals.ts';
import type { GenerationView, GenerationViews } from '../ports/generation-views.ts';

/** What a watcher is told: the state at first and whenever it changes, progress in between, at last how it ended. */
export type GenerationEvent =
  | { readonly name: 'state' | 'progress'; readonly change: GenerationChange }
  | { readonly name: 'done'; readonly generation: GenerationView };

const OPEN: readonly GenerationState[] = ['queued', 'running'];

/** Follows a generation to its end. */
export class WatchGeneration {
  readonly #signals: GenerationSignals;
  readonly #views: GenerationViews;

  constructor(signals: GenerationSignals, views: GenerationViews) {
    this.#signals = signals;
    this.#views = views;
  }

  /**
   * A watcher that is slow is told the newest state of things and not all that was in between.
   *
   * @param signal ends the events without `done` and frees everything; must be aborted at last
   * @throws DomainError `not_found`, `unavailable`
   */
  async run(
    actor: Pick<Actor, 'workspaceId'>,
    generationId: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<GenerationEvent>> {
    const news = new LatestNews(signal);
    const stop = await this.#signals.watch(generationId, (change) => news.put(change));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const read = (): Promise<GenerationView> => this.#views.get(actor.workspaceId, generationId);
    try {
      return eventsFrom(await read(), news, read);
    } catch (error) {
      stop();
      throw error;
    }
  }
}

async function* eventsFrom(
  first: GenerationView,
  news: LatestNews,
  read: () => Promise<GenerationView>,
): AsyncGenerator<GenerationEvent> {
  let known: GenerationChange = { state: first.state, progress: first.progress };
  yield { name: 'state', change: known };
  while (OPEN.includes(known.state)) {
    const heard = await news.next();
    if (heard === null) return;
    const change = heard === 'missed' ? changeOf(await read()) : heard;
    if (change.state !== known.state) yield { name: 'state', change };
    else if (change.progress !== known.progress) yield { name: 'progress', change };
    known = change;
  }
  yield { name: 'done', generation: await read() };
}

function changeOf({ state, progress }: GenerationView): GenerationChange {
  return { state, progress };
}

/** The newest of what was told since it was last asked for. */
class LatestNews {
  #latest: GenerationChange | 'missed' | null = null;
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

  put(change: GenerationChange | 'missed'): void {
    this.#latest = change;
    this.#wake();
  }

  /** Waits for news; `null` once the signal was aborted. */
  async next(): Promise<GenerationChange | 'missed' | null> {
    while (!this.#latest && !this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#ended) return null;
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }
}
