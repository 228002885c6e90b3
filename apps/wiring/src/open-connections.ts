interface Closable {
  close(): unknown;
}

/** All that a program has opened. One place closes it, also when the start fails before there is an application. */
export class OpenConnections {
  readonly #open: Closable[] = [];
  #isClosed = false;

  /** Adds what `opening` resolves with. It is closed at once if the others were closed meanwhile. */
  async add<T extends Closable>(opening: T | Promise<T>): Promise<T> {
    const opened = await opening;
    this.#open.unshift(opened);
    if (this.#isClosed) await this.close();
    return opened;
  }

  /** The result of `work`; all connections are closed if it fails. */
  async orClose<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Closes the latest first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const each of this.#open.splice(0)) await each.close();
  }
}
