import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * Reports whether the service sent a webhook within the last five minutes, by Standard Webhooks.
 *
 * @param body the bytes before any parser
 * @param secret `whsec_…`
 */
export function isGenuine(body: Buffer, headers: object, secret: string, now = Date.now()): boolean {
  const given = headers as Readonly<Record<string, string | undefined>>;
  const { 'webhook-id': id, 'webhook-timestamp': sentAt = '', 'webhook-signature': signatures = '' } = given;
  if (!id || !/^\d{1,12}$/.test(sentAt) || Math.abs(now / 1000 - Number(sentAt)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest();
  // After a rotation of the secret there is a signature by each.
  return signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const bytes = Buffer.from(value, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}
