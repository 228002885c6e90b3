/** @tier test */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SignedWebhook } from '../support/vendors/fake-vendor.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { untilFileEnds, useService } from '../support/use-service.ts';

const key = 'key-s3cret';
const vendor = untilFileEnds(await startFakeReplicate({ key }));
const service = useService(() => ({ REPLICATE_API_TOKEN: key, REPLICATE_BASE_URL: vendor.url, OPENAI_API_KEY: key }), {
  worker: false,
});

const send = async (path: string, { body, headers }: SignedWebhook) => {
  const response = await fetch(new URL(path, service.baseUrl), { method: 'POST', headers, body: new Uint8Array(body) });
  const text = await response.text();
  return { status: response.status, code: text === '' ? null : (JSON.parse(text) as { code: string }).code };
};

describe('A webhook of a provider', () => {
  /** A submission that is checked in an hour, and its key. */
  const submission = async (): Promise<string> => {
    const requestKey = randomUUID();
    const user = await service.signUp();
    const form = { model: 'local-image', prompt: 'a house' };
    const { body } = await service.call('POST', '/v2/generate', { token: user.token, form });
    await service.database.query(
      `insert into submissions (generation_id, provider, request_key, state, number, attempt, handle, intended_at,
         give_up_at, next_check_at)
       values (${body.generation_id}, 'replicate', '${requestKey}', 'submitted', 1, 1, '{}', now(),
         now() + interval '1 day', now() + interval '1 hour')`,
    );
    return requestKey;
  };
  const isDue = async (requestKey: string): Promise<boolean> => {
    const [row] = await service.database.query<{ due: boolean }>(
      `select next_check_at <= now() + interval '1 minute' as due from submissions where request_key = '${requestKey}'`,
    );
    return row!.due;
  };

  it('with its signature brings the check of the submission forward', async () => {
    const [key, other] = [await submission(), await submission()];
    const sent = await send(
      `/v2/providers/replicate/webhook?key=${key}`,
      vendor.signWebhook({ id: 'p1', status: '…' }),
    );
    expect(sent).toEqual({ status: 204, code: null });
    expect([await isDue(key), await isDue(other)]).toEqual([true, false]);
  });

  it('without a valid signature changes nothing', async () => {
    const key = await submission();
    const signed = vendor.signWebhook({ id: 'p1' });
    const forged = { ...signed, body: Buffer.from('{"id":"p2"}') };
    const sent = await send(`/v2/providers/replicate/webhook?key=${key}`, forged);
    expect(sent).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await isDue(key)).toBe(false);
  });

  it('is not known of a provider that is unknown or sends none', async () => {
    for (const id of ['nobody', 'openai', 'constructor']) {
      const sent = await send(`/v2/providers/${id}/webhook?key=${randomUUID()}`, vendor.signWebhook({}));
      expect(sent).toEqual({ status: 404, code: 'not_found' });
    }
  });

  it('is taken with a key of no submission, and with none', async () => {
    for (const query of ['', `?key=${randomUUID()}`]) {
      expect((await send(`/v2/providers/replicate/webhook${query}`, vendor.signWebhook({}))).status).toBe(204);
    }
    const sent = await send('/v2/providers/replicate/webhook?key=1', vendor.signWebhook({}));
    expect(sent).toEqual({ status: 400, code: 'validation_failed' });
  });

  it('has at most a megabyte', async () => {
    const filled = (bytes: number) => vendor.signWebhook({ logs: 'x'.repeat(bytes - '{"logs":""}'.length) });
    expect((await send('/v2/providers/replicate/webhook', filled(1_048_576))).status).toBe(204);
    expect((await send('/v2/providers/replicate/webhook', filled(1_048_577))).code).toBe('too_large');
  });
});
