import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor, TokenStore } from '#identity';
import type { Clock } from '#kernel';
import { clock, tokenStore } from '#wiring';

const INTERVAL_MS = 500;

/** Ends event streams whose callers have lost their rights: one look-up for all streams of the process at a time. */
@Injectable()
export class StreamRights {
  private readonly open = new Map<AbortController, Actor>();
  private isChecking = false;

  constructor(
    @Inject(tokenStore) private readonly tokens: Pick<TokenStore, 'callers'>,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  /** @returns a signal that is aborted within a second after the rights of the stream's caller have ended */
  watch(actor: Actor, closed: AbortSignal): AbortSignal {
    const lost = new AbortController();
    this.open.set(lost, actor);
    closed.addEventListener('abort', () => this.open.delete(lost), { once: true });
    if (!this.isChecking) void this.checkAll();
    return lost.signal;
  }

  /** Whether the token still exists and acts in the workspace that the stream was opened in. */
  async holds(actor: Actor): Promise<boolean> {
    return (await this.holding([actor]))(actor);
  }

  private async checkAll(): Promise<void> {
    this.isChecking = true;
    while (this.open.size > 0) {
      await sleep(INTERVAL_MS, undefined, { ref: false });
      // While the database is away, the streams stay open: no event is sent without a look-up of its own.
      await this.check().catch(() => undefined);
    }
    this.isChecking = false;
  }

  private async check(): Promise<void> {
    const open = [...this.open];
    const holds = await this.holding(open.map(([, actor]) => actor));
    for (const [lost, actor] of open) if (!holds(actor)) lost.abort();
  }

  private async holding(actors: readonly Actor[]): Promise<(actor: Actor) => boolean> {
    const now = await this.tokens.callers([...new Set(actors.map(({ tokenId }) => tokenId))], this.clock.now());
    return ({ tokenId, workspaceId }) => now.get(tokenId)?.workspaceId === workspaceId;
  }
}
