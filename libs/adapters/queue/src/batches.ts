interface Waiting<In, Out> {
  readonly input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

const MAX = 100;

/**
 * Makes one call of many: what is asked while a call is under way waits for it and goes together. Alone nobody waits,
 * and the busier it is the larger the batches.
 */
export class Batches<In, Out> {
  readonly #call: (inputs: readonly In[]) => Promise<readonly Out[]>;
  readonly #waiting: Waiting<In, Out>[] = [];
  #isCalling = false;

  /** @param call answers in the order of its inputs; when it throws, all of the batch fail */
  constructor(call: (inputs: readonly In[]) => Promise<readonly Out[]>) {
    this.#call = call;
  }

  add(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (!this.#isCalling) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isCalling = true;
    // Whoever asks in the same turn goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX);
      try {
        const outputs = await this.#call(batch.map(({ input }) => input));
        batch.forEach(({ resolve }, index) => resolve(outputs[index]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isCalling = false;
  }
}
