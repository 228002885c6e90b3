import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, Gate } from '#identity';
import type { EventStream } from './event-stream.ts';

const INTERVAL_MS = 500;

type Ending = Pick<EventStream, 'end'>;

/** Ends the event streams whose callers have lost their rights. All streams of the process are checked together. */
@Injectable()
export class StreamRights {
  readonly #open = new Map<Ending, Actor>();
  #isChecking = false;
  #asking: Actor[] = [];
  #acting: Promise<ReadonlySet<Actor>> | null = null;

  constructor(@Inject(Gate) private readonly gate: Pick<Gate, 'stillActing'>) {}

  /** Ends the stream within a second after the rights of its caller have ended. */
  watch(actor: Actor, stream: Ending): void {
    this.#open.set(stream, actor);
    if (!this.#isChecking) void this.#checkAll();
  }

  unwatch(stream: Ending): void {
    this.#open.delete(stream);
  }

  /**
   * Reports whether the stream's caller has its rights at this moment, before an event is sent. Streams that ask
   * together share a read.
   */
  async holds(actor: Actor): Promise<boolean> {
    this.#asking.push(actor);
    this.#acting ??= turn().then(() => this.#ask());
    return (await this.#acting).has(actor);
  }

  #ask(): Promise<ReadonlySet<Actor>> {
    const actors = this.#asking;
    this.#asking = [];
    this.#acting = null;
    return this.gate.stillActing(actors);
  }

  async #checkAll(): Promise<void> {
    this.#isChecking = true;
    while (this.#open.size > 0) {
      await sleep(INTERVAL_MS, undefined, { ref: false });
      // While the database is unavailable, streams stay open: each event is checked by itself before it is sent.
      await this.#check().catch(() => undefined);
    }
    this.#isChecking = false;
  }

  async #check(): Promise<void> {
    const open = [...this.#open];
    const acting = await this.gate.stillActing(open.map(([, actor]) => actor));
    for (const [stream, actor] of open) if (!acting.has(actor)) stream.end();
  }
}
