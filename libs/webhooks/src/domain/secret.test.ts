import { describe, expect, it } from '@jest/globals';
import { newWebhookSecret, signingSecrets } from './secret.ts';

describe('the secret of webhooks', () => {
  it('signs alone until it is rotated; then the previous secret signs too for 24 hours', () => {
    const rotatedAt = new Date('2026-03-14T10:00:00Z');
    const secret = { secret: 'new', previous: 'old', rotatedAt };
    const after = (ms: number) => signingSecrets(secret, new Date(rotatedAt.getTime() + ms));
    expect(signingSecrets({ secret: 'first', previous: null, rotatedAt: null }, rotatedAt)).toEqual(['first']);
    expect([after(0), after(86_399_999), after(86_400_000)]).toEqual([['new', 'old'], ['new', 'old'], ['new']]);
  });

  it('is of 32 random bytes, in the form of Standard Webhooks', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    expect(secrets[0]).not.toBe(secrets[1]);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
  });
});
