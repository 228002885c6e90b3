import type { BoardChange, Onlooker, ReviewKind } from './ports.ts';

/** An event of a followed board. A comment or decision is also a change of its board. */
export type BoardEvent =
  | { readonly name: 'changed'; readonly version: number }
  | { readonly name: ReviewKind; readonly version: number; readonly mediaId: number }
  | { readonly name: 'presence'; readonly people: readonly Onlooker[] };

/** The unread news of a board for one reader: its latest version, each reviewed media item, and who looks at it. */
export class BoardNews {
  readonly #reviewed = new Map<string, NonNullable<BoardChange['review']>>();
  /** `null` until it is read. */
  #version: number | null = null;
  #people: readonly Onlooker[] | null = null;
  #hasEnded = false;
  #wake = (): void => undefined;

  /** @param shown the version that the reader has */
  constructor(private shown: number | null) {}

  /** Signals and reads may come in any order: an older version has no effect. Ends the news when the board is gone. */
  put({ version, review }: BoardChange): void {
    if (version === null) return this.end();
    this.#version = Math.max(version, this.#version ?? 0);
    if (review) this.#reviewed.set(`${review.kind} ${review.mediaId}`, review);
    this.#wake();
  }

  show(people: readonly Onlooker[]): void {
    this.#people = people;
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Each event once, in the order of the changes, until the news end. */
  async *events(): AsyncGenerator<BoardEvent> {
    while (!this.#hasEnded) {
      yield* this.#take();
      if (!this.#hasEnded && !this.#hasNews()) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #hasNews(): boolean {
    return this.#version !== this.shown || this.#reviewed.size > 0 || this.#people !== null;
  }

  #take(): BoardEvent[] {
    const [version, people] = [this.#version, this.#people];
    if (version === null) return [];
    const events: BoardEvent[] = version === this.shown ? [] : [{ name: 'changed', version }];
    for (const { kind, mediaId } of this.#reviewed.values()) events.push({ name: kind, version, mediaId });
    if (people) events.push({ name: 'presence', people });
    this.#reviewed.clear();
    this.#people = null;
    this.shown = version;
    return events;
  }
}
