/** Presses that follow each other faster belong to a double click or a held key. */
const BURST_MS = 700;

/**
 * Decides which presses of a button start a generation, and with which Idempotency-Key: the second click of a double
 * click starts none, and a start whose outcome is unknown is repeated with its key, so that it is charged once.
 */
export class Starts {
  #request = '';
  #key: string | null = null;
  #isUnderWay = false;
  #triedAt = -Infinity;

  /**
   * @param request the body, as text
   * @param now milliseconds
   * @returns the key to send; null if the press belongs to the previous start
   */
  begin(request: string, now: number): string | null {
    const isBurst = now - this.#triedAt < BURST_MS;
    this.#triedAt = now;
    if (isBurst || (this.#isUnderWay && request === this.#request)) return null;
    if (request !== this.#request) this.#key = null;
    this.#request = request;
    this.#isUnderWay = true;
    return (this.#key ??= randomKey());
  }

  /** Ends a start. The service repeats its response for a key, so an accepted or refused key is not used again. */
  end(key: string, outcome: 'accepted' | 'refused' | 'unknown'): void {
    if (key !== this.#key) return;
    this.#isUnderWay = false;
    if (outcome !== 'accepted') this.#triedAt = -Infinity;
    if (outcome !== 'unknown') this.#key = null;
  }
}

/** Replaces `crypto.randomUUID`, which exists only on HTTPS and localhost. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
