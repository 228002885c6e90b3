import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, Gate } from '#identity';

const INTERVAL_MS = 500;

/** Ends the event streams whose callers have lost their rights. All streams of the process are checked together. */
@Injectable()
export class StreamRights {
  private readonly open = new Map<AbortController, Actor>();
  private isChecking = false;

  constructor(@Inject(Gate) private readonly gate: Pick<Gate, 'stillActing'>) {}

  /** @returns a signal that is aborted within a second after the rights of the stream's caller have ended */
  watch(actor: Actor, closed: AbortSignal): AbortSignal {
    const lost = new AbortController();
    this.open.set(lost, actor);
    closed.addEventListener('abort', () => this.open.delete(lost), { once: true });
    if (!this.isChecking) void this.checkAll();
    return lost.signal;
  }

  /** Whether the stream's caller has its rights at this moment, before an event is sent. */
  async holds(actor: Actor): Promise<boolean> {
    return (await this.gate.stillActing([actor])).has(actor);
  }

  private async checkAll(): Promise<void> {
    this.isChecking = true;
    while (this.open.size > 0) {
      await sleep(INTERVAL_MS, undefined, { ref: false });
      // While the database is unavailable, streams stay open: each event is checked by itself before it is sent.
      await this.check().catch(() => undefined);
    }
    this.isChecking = false;
  }

  private async check(): Promise<void> {
    const open = [...this.open];
    const acting = await this.gate.stillActing(open.map(([, actor]) => actor));
    for (const [lost, actor] of open) if (!acting.has(actor)) lost.abort();
  }
}
