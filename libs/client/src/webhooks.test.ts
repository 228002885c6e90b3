import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const event = { type: 'generation.succeeded', timestamp: '2026-11-22T00:00:00Z', data: { generation_id: 12 } };
const body = JSON.stringify(event);

function headersOf(secret = SECRET, at = new Date(), text = body) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  };
}

describe('a webhook', () => {
  it('is read when the service signed it, with the headers of Fetch or of Node', () => {
    expect(verifyWebhook(body, headersOf(), SECRET)).toEqual(event);
    expect(verifyWebhook(Buffer.from(body), new Headers(headersOf()), SECRET)).toEqual(event);
    const ofNode = { host: 'a', 'set-cookie': ['b'], ...headersOf() };
    expect(verifyWebhook(body, ofNode, SECRET)).toEqual(event);
  });

  it('of a batch has its cells', () => {
    const ended = { type: 'batch.ended', timestamp: event.timestamp, data: { batch_id: 3, cells: { failed: 1 } } };
    const text = JSON.stringify(ended);
    const read = verifyWebhook(text, headersOf(SECRET, new Date(), text), SECRET);
    expect(read.type === 'batch.ended' && read.data.cells.failed).toBe(1);
  });

  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  it.each([
    ['signed with another secret', body, headersOf(other)],
    ['signed six minutes ago', body, headersOf(SECRET, new Date(Date.now() - 360_000))],
    ['changed on its way', body.replace('12', '13'), headersOf()],
    ['without a signature', body, {}],
  ])('is refused when it is %s', (_, text, headers) => {
    expect(() => verifyWebhook(text, headers, SECRET)).toThrow(WebhookVerificationError);
  });
});
