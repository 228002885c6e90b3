/** @tier deep, 15 s, about libs/adapters/tracing */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { RELEASE } from '#process';
import { eventually } from '../support/eventually.ts';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { startAllVendors } from '../support/vendors/all-vendors.ts';
import { prepared, useService } from '../support/use-service.ts';
const PROMPT = 'a lighthouse nobody must read about';

const receiver = await OtlpReceiver.start();
const folder = await mkdtemp(join(tmpdir(), 'x12-tracing-'));
const vendors = prepared(() => startAllVendors(folder, { workMs: 200 }));
const service = useService(() => ({ ...vendors.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }));
const user = prepared(() => service.signUp());
afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a generation as the caller's span, and waits for its trace until it has a span of this name. */
async function traceOf(model: string, last: string) {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const form = { model, prompt: PROMPT };
  const response = await service.call('POST', '/v2/generate', { token: user.token, form, headers });
  expect(response.status).toBe(202);
  // Spans are sent when they end: the one with these others around it comes after them.
  const ended = () => receiver.trace(traceId).filter(({ name }) => name === last);
  await eventually(() => ended().length > 0);
  const spans = receiver.trace(traceId);
  const named = (name: string): ReceivedSpan => {
    const found = spans.find((span) => span.name === name);
    if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };
  return { spans, named };
}

/** The names from the span up to the first one, and the service of each. */
function pathOf(spans: readonly ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [`${span.service}: ${span.name}`, ...(parent ? pathOf(spans, parent) : [])];
}

const ANNOUNCED = ['x12-api: announce generation.run', 'x12-api: POST /v2/generate'];

describe('A trace', () => {
  it("goes from the caller's span through the request, the outbox and the job to the provider and the storage", async () => {
    const { spans, named } = await traceOf('local-image', 'run generation.run');
    const job = ['x12-worker: run generation.run', ...ANNOUNCED];
    expect(pathOf(spans, named('local run'))).toEqual(['x12-worker: local run', ...job]);
    expect(pathOf(spans, named('storage put'))).toEqual(['x12-worker: storage put', ...job]);
    const request = named('POST /v2/generate');
    expect(request).toMatchObject({ kind: 2, parentSpanId: '00f067aa0ba902b7', version: RELEASE.version });
    expect(request.attributes).toMatchObject({ 'http.route': '/v2/generate', 'http.response.status_code': 202 });
    expect(named('announce generation.run').kind).toBe(4);
    expect(named('run generation.run')).toMatchObject({ kind: 5, attributes: { 'x12.job.outcome': 'done' } });
  });

  it('continues in the job that stores the outputs of a vendor, which a sweep announced', async () => {
    const { spans, named } = await traceOf('fake-fal', 'run generation.finish');
    const first = ['x12-worker: run generation.run', ...ANNOUNCED];
    expect(pathOf(spans, named('fal submit'))).toEqual(['x12-worker: fal submit', ...first]);
    const finish = ['x12-worker: run generation.finish', 'x12-worker: announce generation.finish', ...first];
    expect(pathOf(spans, named('fal fetchOutput'))).toEqual(['x12-worker: fal fetchOutput', ...finish]);
    expect(pathOf(spans, named('storage put'))).toEqual(['x12-worker: storage put', ...finish]);
  });

  it('begins with a request without a trace, and excludes probes', async () => {
    await service.call('GET', '/health/live');
    await service.call('GET', '/v2/credits', { token: user.token });
    const request = await eventually(() => receiver.spans.find(({ name }) => name === 'GET /v2/credits'));
    expect(request.parentSpanId ?? '').toBe('');
    expect(receiver.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  });

  it('contains failures, but no tokens, prompts, keys and signed URLs', async () => {
    vendors.fakes.replicate.plan([], 'down');
    const { spans } = await traceOf('fake-replicate', 'replicate submit');
    expect(spans.find(({ name }) => name === 'replicate submit')).toMatchObject({ status: 2 });
    const form = { filename: 'photo.jpg' };
    const { body } = await service.call('POST', '/v2/upload', { token: user.token, form });
    const put = await fetch(body.signed_url, { method: 'PUT', headers: body.headers, body: 'x' });
    expect(put.status).toBe(200);
    await eventually(() => receiver.spans.some(({ name }) => name.startsWith('PUT ')));
    for (const secret of [user.token, user.password, PROMPT, 'fake-key', new URL(body.signed_url).search]) {
      expect(receiver.text).not.toContain(secret);
    }
  });
});
