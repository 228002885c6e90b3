import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor, Gate, Requirements } from '#identity';
import { KeyedSemaphore, type UnitOfWork } from '#kernel';
import type { PostgresUnitOfWork } from '#adapters/postgres';
import type { Waits } from './waits.ts';

/** The caller, and the route's requirements of them. */
export interface RequestCaller {
  readonly actor: Actor;
  readonly requirements: Requirements;
}

/** An operator's account with the token of its session, or a machine token; `null` for ADMIN_TOKEN. */
export type RequestOperator =
  | { readonly userId: number; readonly tokenId: number }
  | { readonly machineToken: { readonly id: number; readonly name: string } }
  | null;

/** The current request without its body. */
interface RunningRequest {
  readonly id?: string;
  /** IP address of the client. */
  readonly ip?: string | undefined;
  readonly caller?: RequestCaller;
  /** The operator who sent the request; absent for other requests. */
  readonly operator?: RequestOperator;
  /** True if it is a command of an operator instead. */
  readonly isCommandLine?: true;
  /** Time that it has waited for others. */
  waits?: Waits;
}

/** The current request, set by the API and the command line. */
export const runningRequest = new AsyncLocalStorage<RunningRequest>();

/** How many units of work of one workspace may wait for their turn. */
const MAX_WAITING = 100;

/**
 * Units of work of requests: the gate confirms the caller, if there is one, before they commit. Its statement is sent
 * first, together with the first one of the effects, which saves a round trip. One workspace has at most half of the
 * connections, as its units of work may wait for each other's locks.
 */
export class CheckedUnitOfWork implements UnitOfWork {
  readonly #confirmed = new AsyncLocalStorage<true>();
  readonly #shares: KeyedSemaphore<number>;

  /** @param connections of the process */
  constructor(
    private readonly inner: UnitOfWork & Pick<PostgresUnitOfWork, 'hasBegun'>,
    private readonly gate: Pick<Gate, 'confirm'>,
    connections: number,
  ) {
    this.#shares = new KeyedSemaphore(Math.max(1, Math.floor(connections / 2)), MAX_WAITING);
  }

  /** @throws DomainError `unavailable` when too many units of work of the workspace are waiting */
  run<T>(work: () => Promise<T>): Promise<T> {
    const caller = runningRequest.getStore()?.caller;
    if (!caller || this.#confirmed.getStore()) return this.inner.run(work);
    const run = () =>
      this.inner.run(async () => {
        const confirming = this.gate.confirm(caller.actor, caller.requirements);
        const [confirmed, worked] = await Promise.allSettled([confirming, (async () => work())()]);
        // A refused caller learns nothing about the effects.
        if (confirmed.status === 'rejected') throw confirmed.reason;
        if (worked.status === 'rejected') throw worked.reason;
        return worked.value;
      });
    // A unit of work that has a connection must not wait for units that wait for one.
    const inTurn = this.inner.hasBegun ? run : () => this.#shares.on(caller.actor.workspaceId, run);
    return this.#confirmed.run(true, inTurn);
  }
}
