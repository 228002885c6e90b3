import { Readable } from 'node:stream';

/** What everything throws that is tried after the end of a process. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/**
 * A process that ends at a certain call of the ports it is given: either before that call has its effect, or after
 * it had it and before the answer came. From then on nothing works any more.
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

  /** The port, on this lifeline; methods that answer at once are no calls. */
  wrap<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#call(() => Reflect.apply(member, target, args) as unknown, name);
      },
    });
  }

  #call(work: () => unknown, name: string | symbol): unknown {
    if (name === 'publicUrl' || name === 'keyOf' || name === 'list') return work();
    return this.#countedCall(work);
  }

  async #countedCall(work: () => unknown): Promise<unknown> {
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
