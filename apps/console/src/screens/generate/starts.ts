/** The clicks of a double click, and the repeats of a held key, follow each other faster. */
const BURST_MS = 700;

/**
 * Decides which presses of a button start a generation, and with which Idempotency-Key: the second click of a double
 * click starts none, and a start whose outcome is unknown is repeated with its key, so that it is charged once.
 */
export class Starts {
  private request = '';
  private key: string | null = null;
  private isUnderWay = false;
  private triedAt = -Infinity;

  /**
   * @param request the body, as text
   * @param now milliseconds
   * @returns the key to send; null if the press belongs to the start before
   */
  begin(request: string, now: number): string | null {
    const isBurst = now - this.triedAt < BURST_MS;
    this.triedAt = now;
    if (isBurst || (this.isUnderWay && request === this.request)) return null;
    if (request !== this.request) this.key = null;
    this.request = request;
    this.isUnderWay = true;
    return (this.key ??= randomKey());
  }

  /** The service repeats its response for the same key: what it accepted or refused is not asked with that key again. */
  end(key: string, outcome: 'accepted' | 'refused' | 'unknown'): void {
    if (key !== this.key) return;
    this.isUnderWay = false;
    if (outcome !== 'accepted') this.triedAt = -Infinity;
    if (outcome !== 'unknown') this.key = null;
  }
}

/** `crypto.randomUUID` exists on HTTPS and localhost alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
