import { expect, it } from '@jest/globals';
import type { Prediction } from 'replicate';
import { aModel } from '#testing/catalogue';
import { aSubmittedTask } from '#testing/generation';
import { matchOf } from './match.ts';
import { isWebhookRefused, placeholderWebhook } from './webhook.ts';

const KEY = '6f1c2a34-9d1e-4b7a-8c55-0123456789ab';
const NOW = new Date();
const TASK = aSubmittedTask({ requestKey: KEY, model: aModel({ target: 'owner/name', mapping: { seed: '{seed}' } }) });

it('a prediction with a webhook is recognised by the request key in it alone', () => {
  const prediction = { model: 'owner/name', version: 'hidden', input: { seed: 7 } } as unknown as Prediction;
  const match = (webhook?: string) => matchOf({ ...prediction, ...(webhook && { webhook }) }, NOW, TASK, NOW);
  expect([match(), match(`https://example.com/webhook?key=${KEY}`), match(placeholderWebhook(KEY))]).toEqual(
    Array(3).fill('same'),
  );
  expect(match(placeholderWebhook(crypto.randomUUID()))).toBe('other');
});

it.each<[string, number, object, boolean]>([
  ['names its webhook', 422, { invalid_fields: [{ type: 'format', field: 'webhook', description: '…' }] }, true],
  ['names its webhook in its text', 422, { detail: '- webhook: must be reachable\n' }, true],
  ['names another field', 422, { detail: '- input.width: Must be less than or equal to 2048\n' }, false],
  ['fails', 500, { detail: '- webhook: …' }, false],
])('a refusal that %s (status %i) is one of the webhook: %s', (_, status, body, expected) => {
  const refusal = { status, body: JSON.stringify(body), headers: new Headers(), retryAfterSeconds: null };
  expect(isWebhookRefused(refusal)).toBe(expected);
});
