import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestService } from '../support/service.ts';

describe('the health of the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({}, { worker: false });
  });
  afterAll(() => service?.stop());

  it('is that of database, queue and storage', async () => {
    const { status, body } = await service.call('GET', '/health/ready');
    expect(status).toBe(200);
    const latency_ms = expect.any(Number) as unknown;
    expect(body).toEqual({
      status: true,
      checks: ['database', 'queue', 'storage'].map((name) => ({ name, state: 'up', latency_ms })),
    });
  });
});
