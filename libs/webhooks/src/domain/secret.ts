/** The secret that signs the webhooks of a workspace. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  readonly secret: string;
  /** The secret before the last rotation. */
  readonly previous: string | null;
  readonly rotatedAt: Date | null;
}

/** How long the previous secret still signs after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;

/** The secrets that sign a webhook now, the current one first. */
export function signingSecrets({ secret, previous, rotatedAt }: WebhookSecret, now: Date): readonly string[] {
  const isRecent = rotatedAt !== null && now.getTime() < rotatedAt.getTime() + OVERLAP_MS;
  return previous !== null && isRecent ? [secret, previous] : [secret];
}

/** A secret of 256 random bits. */
export function newWebhookSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
}
