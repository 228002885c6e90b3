import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('the service', () => {
  it('is live and ready', async () => {
    expect((await service.call('GET', '/health/live')).status).toBe(200);
    expect((await service.call('GET', '/health/ready')).body).toMatchObject({ status: true });
  });

  it('lets somebody sign up and knows them by their token', async () => {
    const user = await service.signUp();
    const { status, body } = await service.call('GET', '/v2/auth/me', { token: user.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, user: { id: user.id, email: user.email } });
  });
});
