/** @tier deep, 15 s, about apps/service apps/cli */
import { rm, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { seedDemo } from '../../apps/service/src/demo.module.ts';
import { DEMO_ROLES, type Demo, readDemo } from '../../apps/service/src/demo.ts';
import { startService } from '../support/service.ts';
import { untilTestEnds, useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });
let demo: Demo;
beforeAll(async () => {
  await seedDemo(service.settings);
  demo = await kept();
});

const kept = async () => (await readDemo(service.settings.data.demo))!;
const me = async (token: string) => (await service.call('GET', '/v2/auth/me', { token })).body;

describe('the demo', () => {
  it('has three roles of an enterprise team, and somebody outside it on free', async () => {
    expect(demo.base_url).toBe(service.baseUrl);
    const [owner, admin, member, solo] = await Promise.all(DEMO_ROLES.map((role) => me(demo.tokens[role])));
    expect(owner).toMatchObject({ role: 'owner', workspace: { plan: 'enterprise', is_team: true } });
    expect(admin).toMatchObject({ role: 'admin', workspace: { id: owner.workspace.id } });
    expect(member).toMatchObject({ role: 'member', workspace: { id: owner.workspace.id } });
    expect(solo).toMatchObject({ role: 'owner', workspace: { plan: 'free', is_team: false } });
    expect(admin.user).toMatchObject({ ...demo.users.admin, email_verified: true });
    expect([owner, admin, member, solo].map(({ user }) => user.is_operator)).toEqual([true, false, false, false]);
  });

  it('is for the eyes of its owner only, and stays as it is when it is seeded again', async () => {
    expect((await stat(service.settings.data.demo)).mode & 0o077).toBe(0);
    await seedDemo(service.settings);
    expect(await kept()).toEqual(demo);
  });

  it('has new tokens for the same users if its file is missing or broken', async () => {
    const { data } = service.settings;
    for (const spoil of [() => rm(data.demo), () => writeFile(data.demo, '{"tokens":{}}')]) {
      await spoil();
      await seedDemo(service.settings);
      const renewed = await kept();
      expect(renewed.users).toEqual(demo.users);
      expect((await me(renewed.tokens.member)).user).toMatchObject(demo.users.member);
      expect(renewed.tokens.member).not.toBe(demo.tokens.member);
    }
  });

  it('replaces a token that was revoked, and that one alone', async () => {
    const before = await kept();
    const { tokens } = (await service.call('GET', '/v2/auth/tokens', { token: before.tokens.solo })).body;
    for (const { id } of tokens) await service.call('DELETE', `/v2/auth/tokens/${id}`, { token: before.tokens.solo });
    await seedDemo(service.settings);
    const { tokens: after } = await kept();
    expect(after).toEqual({ ...before.tokens, solo: expect.any(String) });
    expect(after.solo).not.toBe(before.tokens.solo);
  });

  it('is on whatever plan for teams is configured', async () => {
    const PLANS = '{"free":{"monthly_credits":1},"studio":{"monthly_credits":9,"teams":true}}';
    const other = untilTestEnds(await startService({ PLANS }, { worker: false }));
    await seedDemo(other.settings);
    const { tokens } = (await readDemo(other.settings.data.demo))!;
    const { body } = await other.call('GET', '/v2/auth/me', { token: tokens.member });
    expect(body.workspace).toMatchObject({ plan: 'studio', is_team: true });
  });
});
