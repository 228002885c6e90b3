import { Readable } from 'node:stream';

/** Error of everything that is tried after the end of a process. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/**
 * A process that ends at a certain call of the ports it is given: either before that call has its effect, or after
 * it had it and before the response came. From then on nothing works any more.
 */
export class Lifeline {
  #callsLeft: number;

  constructor(
    calls: number,
    private readonly moment: 'before' | 'after',
  ) {
    this.#callsLeft = calls;
  }

  get isOver(): boolean {
    return this.#callsLeft < 0;
  }

  /** The port, and the ports that it contains, on this lifeline. */
  wrap<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'parts') return this.wrap(member as object);
        if (typeof member !== 'function') return member;
        const call = (args: unknown[]): unknown => Reflect.apply(member, target, args);
        // The listing of an object storage is an iterable, not a call.
        if (name === 'list' && 'parts' in target) return (...args: unknown[]) => call(args);
        return (...args: unknown[]) => this.#call(async () => call(args));
      },
    });
  }

  async #call(work: () => unknown): Promise<unknown> {
    if (this.isOver) throw new ProcessEnded();
    const isLast = this.#callsLeft-- === 0;
    if (isLast && this.moment === 'before') throw new ProcessEnded();
    const result = await work();
    if (!this.isOver) return result;
    // Ended processes leave no file open.
    if (result instanceof Readable) result.destroy();
    throw new ProcessEnded();
  }
}

/**
 * Does `work` in processes that end at its first call, at its second, and so on until one gets to the end: each before
 * that call has its effect, and again after it.
 */
export async function inEveryCrash(
  work: (lifeline: Lifeline) => Promise<unknown>,
  afterwards: () => Promise<void>,
): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    for (let calls = 0; ; calls++) {
      const lifeline = new Lifeline(calls, moment);
      await work(lifeline).catch((error: unknown) => {
        if (!lifeline.isOver) throw error;
      });
      await afterwards();
      if (!lifeline.isOver) break;
      if (calls === 50) throw new Error('it does not come to an end');
    }
  }
}
