import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor, Gate, Requirements } from '#identity';
import type { UnitOfWork } from '#kernel';

/** Who calls, and what the route requires of them. */
export interface RequestCaller {
  readonly actor: Actor;
  readonly requirements: Requirements;
}

/** An operator's account with the token of its session; `null` for ADMIN_TOKEN. */
export type RequestOperator = { readonly userId: number; readonly tokenId: number } | null;

/** What is known of the current request without its body. */
interface RunningRequest {
  readonly id?: string;
  /** IP address of the client. */
  readonly ip?: string | undefined;
  readonly caller?: RequestCaller;
  /** Who operates the service by this request; absent for other requests. */
  readonly operator?: RequestOperator;
  /** Whether it is a command of an operator instead. */
  readonly isCommandLine?: true;
}

/** The current request, set by the API and the command line. */
export const runningRequest = new AsyncLocalStorage<RunningRequest>();

/** Units of work in which the gate first confirms the caller of the current request, if there is one. */
export class CheckedUnitOfWork implements UnitOfWork {
  readonly #confirmed = new AsyncLocalStorage<true>();

  constructor(
    private readonly inner: UnitOfWork,
    private readonly gate: Pick<Gate, 'confirm'>,
  ) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    const caller = runningRequest.getStore()?.caller;
    if (!caller || this.#confirmed.getStore()) return this.inner.run(work);
    return this.#confirmed.run(true, () =>
      this.inner.run(async () => {
        await this.gate.confirm(caller.actor, caller.requirements);
        return work();
      }),
    );
  }
}
