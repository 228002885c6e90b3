import { createHash, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FalWebhooks } from './webhooks.ts';

const NOW = 1_795_000_000_000;
const BODY = Buffer.from('{"status":"OK"}');
const MINUTE = 60_000;

let now: number;
let fetches: number;
let published: KeyObject[];
let webhooks: FalWebhooks;
beforeEach(() => {
  now = NOW;
  fetches = 0;
  published = [];
  const fetchKeys = async (): Promise<JsonWebKey[]> => {
    fetches++;
    return published.map((key) => key.export({ format: 'jwk' }));
  };
  webhooks = new FalWebhooks(fetchKeys, () => now);
});

/** A new key of fal, and the headers that it signs. */
function newKey(type: 'ed25519' | 'ed448' = 'ed25519') {
  const { publicKey, privateKey } = generateKeyPairSync(type as 'ed25519');
  published.push(publicKey);
  return (at = now): Record<string, string> => {
    const digest = createHash('sha256').update(BODY).digest('hex');
    const timestamp = String(Math.floor(at / 1000));
    return {
      'x-fal-webhook-request-id': 'r1',
      'x-fal-webhook-user-id': 'u1',
      'x-fal-webhook-timestamp': timestamp,
      'x-fal-webhook-signature': sign(null, Buffer.from(`r1\nu1\n${timestamp}\n${digest}`), privateKey).toString('hex'),
    };
  };
}

describe('a webhook of fal', () => {
  it('is authentic when any of the published keys has signed it', async () => {
    newKey('ed448');
    newKey();
    const headers = newKey();
    await expect(webhooks.isAuthentic(BODY, headers())).resolves.toBe(true);
  });

  it('is not when its time is another one', async () => {
    const changed = { ...newKey()(), 'x-fal-webhook-timestamp': String(NOW / 1000 + 1) };
    await expect(webhooks.isAuthentic(BODY, changed)).resolves.toBe(false);
  });

  it.each([
    [5 * MINUTE, true],
    [-5 * MINUTE, true],
    [5 * MINUTE + 1000, false],
    [-5 * MINUTE - 1000, false],
  ])('that was signed %i ms ago: %s', async (age, expected) => {
    const headers = newKey();
    await expect(webhooks.isAuthentic(BODY, headers(now - age))).resolves.toBe(expected);
  });

  it('is verified with keys that are fetched once a day', async () => {
    const headers = newKey();
    await webhooks.isAuthentic(BODY, headers());
    now += 24 * 60 * MINUTE - 1;
    await webhooks.isAuthentic(BODY, headers());
    expect(fetches).toBe(1);
    now += 1;
    await webhooks.isAuthentic(BODY, headers());
    expect(fetches).toBe(2);
  });

  it('is verified with a new key, which is looked for at most once a minute', async () => {
    const old = newKey();
    await webhooks.isAuthentic(BODY, old());
    const headers = newKey();
    now += MINUTE - 1;
    await expect(webhooks.isAuthentic(BODY, headers())).resolves.toBe(false);
    expect(fetches).toBe(1);
    now += 1;
    await expect(webhooks.isAuthentic(BODY, headers())).resolves.toBe(true);
    expect(fetches).toBe(2);
  });
});
