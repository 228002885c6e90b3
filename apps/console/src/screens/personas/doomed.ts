/** Trainings that are deleted unless that is undone: pages show them no more. */
class Doomed {
  private current: ReadonlySet<number> = new Set();
  private readonly listeners = new Set<() => void>();

  readonly ids = (): ReadonlySet<number> => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(id: number): void {
    this.set(new Set([...this.current, id]));
  }

  delete(id: number): void {
    this.set(new Set([...this.current].filter((each) => each !== id)));
  }

  private set(ids: ReadonlySet<number>): void {
    this.current = ids;
    for (const listener of this.listeners) listener();
  }
}

export const doomed = new Doomed();
