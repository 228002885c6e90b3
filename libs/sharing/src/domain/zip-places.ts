import { DomainError } from '#kernel';

/** Zips for an address at the same time, over all links. */
const MOST_ZIPS = 4;

/** The zips that a process sends to guests: of a link one for each address, and a few over all links. */
export class ZipPlaces {
  /** Shares by the address that downloads them. */
  readonly #taken = new Map<string, Set<number>>();

  /**
   * @returns what gives the place back
   * @throws DomainError `download_running`
   */
  take(address: string, shareId: number): () => void {
    const taken = this.#taken.get(address) ?? new Set();
    if (taken.has(shareId) || taken.size >= MOST_ZIPS) {
      throw new DomainError('download_running', 'another download of yours is running: wait for its end');
    }
    this.#taken.set(address, taken.add(shareId));
    return () => {
      taken.delete(shareId);
      if (taken.size === 0) this.#taken.delete(address);
    };
  }
}
