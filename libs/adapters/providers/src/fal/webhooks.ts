import { createHash, createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The tolerance that fal recommends. */
const MAX_SKEW_MS = 5 * 60_000;
const KEYS_LIVE_MS = 24 * 3_600_000;
/** Limits how often forged webhooks cause a request for the keys. */
const MIN_REFRESH_MS = 60_000;

/** Verifies fal's signatures: ED25519 over the headers and the SHA-256 of the body, by the keys that fal publishes. */
export class FalWebhooks {
  #keys: readonly KeyObject[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;

  /** @param fetchKeys the keys of fal's JSON Web Key Set */
  constructor(
    private readonly fetchKeys: () => Promise<readonly JsonWebKey[]>,
    private readonly now: () => number = Date.now,
  ) {}

  async isAuthentic(body: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean> {
    const timestamp = headers['x-fal-webhook-timestamp'] ?? '';
    const isRecent = /^\d+$/.test(timestamp) && Math.abs(this.now() - Number(timestamp) * 1000) <= MAX_SKEW_MS;
    const signature = Buffer.from(headers['x-fal-webhook-signature'] ?? '', 'hex');
    if (!isRecent || signature.length === 0) return false;
    const message = Buffer.from(
      [
        headers['x-fal-webhook-request-id'] ?? '',
        headers['x-fal-webhook-user-id'] ?? '',
        timestamp,
        createHash('sha256').update(body).digest('hex'),
      ].join('\n'),
    );
    const isSigned = (): boolean => this.#keys.some((key) => verify(null, message, key, signature));
    await this.#refresh(KEYS_LIVE_MS);
    if (isSigned()) return true;
    // The key may be new.
    await this.#refresh(MIN_REFRESH_MS);
    return isSigned();
  }

  async #refresh(minAgeMs: number): Promise<void> {
    if (this.now() - this.#fetchedAt < minAgeMs) return;
    this.#fetchedAt = this.now();
    const keys = await this.fetchKeys();
    this.#keys = keys.filter(({ crv }) => crv === 'Ed25519').map((key) => createPublicKey({ key, format: 'jwk' }));
  }
}
