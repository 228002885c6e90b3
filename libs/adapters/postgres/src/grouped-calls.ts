interface Waiting<In, Out> {
  readonly input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

const MAX = 100;

/**
 * Combines concurrent calls. Inputs that are added during a call share the next call, so that a single input never waits
 * for others, and groups grow with the load.
 */
export class GroupedCalls<In, Out> {
  readonly #waiting: Waiting<In, Out>[] = [];
  #isCalling = false;

  /** @param call resolves to the outputs in the order of its inputs; when it throws, the whole group fails */
  constructor(private readonly call: (inputs: readonly In[]) => Promise<readonly Out[]>) {}

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (!this.#isCalling) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isCalling = true;
    // Inputs that are added in the same turn share the first call.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX);
      try {
        const outputs = await this.call(group.map(({ input }) => input));
        group.forEach(({ resolve }, index) => resolve(outputs[index]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isCalling = false;
  }
}
