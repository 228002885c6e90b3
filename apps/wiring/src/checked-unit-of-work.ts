import { AsyncLocalStorage } from 'node:async_hooks';
import { assertMay, assertPlan, type Action, type Actor, type Plans, type TokenStore } from '#identity';
import { DomainError, ROLE_LEVELS, type Clock, type UnitOfWork } from '#kernel';

/** Who may change something by a request, and the action of its route. */
export interface RequestCaller {
  readonly actor: Actor;
  readonly action: Action | undefined;
}

/** The request that is running, set by the API. */
export const runningRequest = new AsyncLocalStorage<{ readonly id?: string; readonly caller?: RequestCaller }>();

/**
 * Units of work whose first statement checks the caller of the request again, in the same transaction as the effects:
 * a use case may have waited since the request was admitted, for a password hash or for a connection. The check locks
 * nothing, so that requests that change the rights of each other's callers do not deadlock; a change that commits after
 * it counts as later than the effects.
 */
export class CheckedUnitOfWork implements UnitOfWork {
  readonly #inside = new AsyncLocalStorage<true>();

  constructor(
    private readonly inner: UnitOfWork,
    private readonly tokens: Pick<TokenStore, 'callers'>,
    private readonly plans: Plans,
    private readonly clock: Clock,
  ) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    const caller = runningRequest.getStore()?.caller;
    if (!caller || this.#inside.getStore()) return this.inner.run(work);
    return this.#inside.run(true, () =>
      this.inner.run(async () => {
        await this.check(caller.actor, caller.action);
        return work();
      }),
    );
  }

  private async check(before: Actor, action: Action | undefined): Promise<void> {
    const actor = (await this.tokens.callers([before.tokenId], this.clock.now())).get(before.tokenId);
    if (!actor) throw new DomainError('unauthenticated', 'the API token has ended');
    if (actor.workspaceId !== before.workspaceId) {
      throw new DomainError('forbidden', 'you do not act in this workspace any more');
    }
    if (action) {
      assertPlan(action, actor.plan, this.plans);
      assertMay(action, actor);
    } else if (ROLE_LEVELS[actor.role] < ROLE_LEVELS[before.role]) {
      throw new DomainError('forbidden', 'your role has just been changed: send the request again');
    }
  }
}
