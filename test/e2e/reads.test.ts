/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresCreditLedger, PostgresUnitOfWork } from '#adapters/postgres';
import { expectRefusal } from '../support/expectations.ts';
import { teamOf, type TeamCaller } from '../support/team-of.ts';
import { prepared, useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });
const unitOfWork = () => new PostgresUnitOfWork(service.database.database);
const ledger = () => new PostgresCreditLedger(service.database.database);

interface Made {
  readonly model?: string;
  readonly state?: string;
  readonly at?: string;
  readonly cost?: number;
  readonly personaId?: number;
}

/** A generation whose credits are reserved in the month of its time. */
async function generationOf(workspaceId: number, userId: number, made: Made = {}): Promise<number> {
  const { model = 'a', state = 'succeeded', at = '2026-10-05T12:00:00Z', cost: amount = 1, personaId = null } = made;
  const { id } = (await service.database.one<{ id: number }>(
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, parameters, cost, created_at)
     values ($1, $2, $3, $4, 'image', $5, '{}', $6, $7) returning id`,
    [workspaceId, userId, personaId, model, state, amount, at],
  ))!;
  const month = at.slice(0, 7) as '2026-10';
  const reservation = { workspaceId, userId, amount, generationId: id, month };
  await unitOfWork().run(() => ledger().reserve(reservation, 1000));
  return id;
}

describe("the use of a month's credits", () => {
  const team = prepared(() => teamOf(service));
  const owner = prepared(async () => team.owner);
  const member = prepared(() => team.member());
  const read = ({ token }: TeamCaller, query: string) => service.call('GET', `/v2/credits/usage?${query}`, { token });
  const day = (text: string | null, used: number, generations: number, more: object = {}) => {
    return {
      day: text,
      model: null,
      user_id: null,
      email: null,
      customer: null,
      used,
      reserved: 0,
      generations,
      ...more,
    };
  };

  beforeAll(async () => {
    const { workspaceId } = team;
    await generationOf(workspaceId, owner.userId, { at: '2026-10-01T00:00:00Z', cost: 4 });
    await generationOf(workspaceId, owner.userId, { at: '2026-10-01T23:59:59.999Z', cost: 0, model: 'b' });
    await generationOf(workspaceId, member.userId, {
      at: '2026-10-02T00:00:00Z',
      cost: 7,
      model: 'b',
      state: 'running',
    });
    const failed = await generationOf(workspaceId, member.userId, { at: '2026-10-03T00:00:00Z', cost: 9 });
    await unitOfWork().run(() => ledger().release(failed));
    await generationOf(workspaceId, owner.userId, { at: '2026-09-30T23:59:59.999Z', cost: 5 });
    const other = await teamOf(service);
    await generationOf(other.workspaceId, other.owner.userId, { cost: 100 });
  });

  it('is grouped by day with reserved credits, without released credits, other months and workspaces', async () => {
    const { status, body } = await read(owner, 'month=2026-10');
    const period = { start_at: '2026-10-01T00:00:00.000Z', end_at: '2026-11-01T00:00:00.000Z' };
    const usage = [day('2026-10-01', 4, 2), day('2026-10-02', 7, 1, { reserved: 7 })];
    expect([status, body]).toEqual([200, { status: true, period, total_used: 11, usage }]);
    expect((await read(owner, 'month=2026-09&group_by=day')).body.usage).toEqual([day('2026-09-30', 5, 1)]);
    expect((await read(owner, '')).body).toMatchObject({ total_used: 0, usage: [] });
  });

  it('is grouped by model, by user, and by both', async () => {
    const by = async (groups: string) => (await read(owner, `month=2026-10&group_by=${groups}`)).body.usage;
    expect(await by('model')).toEqual([day(null, 7, 2, { model: 'b', reserved: 7 }), day(null, 4, 1, { model: 'a' })]);
    const [mine, theirs] = [owner, member].map(({ userId, email }) => ({ user_id: userId, email }));
    expect(await by('user')).toEqual([day(null, 7, 1, { ...theirs, reserved: 7 }), day(null, 4, 2, mine)]);
    const byDayAndModel = [
      day('2026-10-01', 4, 1, { model: 'a' }),
      day('2026-10-01', 0, 1, { model: 'b' }),
      day('2026-10-02', 7, 1, { model: 'b', reserved: 7 }),
    ];
    expect(await by('day,model')).toEqual(byDayAndModel);
    expect(await by('model,day')).toEqual(byDayAndModel);
  });

  it('shows a plain member only their own', async () => {
    const { body } = await read(member, 'month=2026-10&group_by=user');
    const own = { user_id: member.userId, email: member.email, reserved: 7 };
    expect(body).toMatchObject({ total_used: 7, usage: [day(null, 7, 1, own)] });
  });

  it('can be read on any plan', async () => {
    const { token } = await service.signUp();
    const { status, body } = await service.call('GET', '/v2/credits/usage', { token });
    expect([status, body.usage]).toEqual([200, []]);
  });

  it.each([
    ['month=2026-13', 'month'],
    ['group_by=day,model,user', 'group_by'],
    ['group_by=', 'group_by'],
  ])('is refused for %s', async (query, field) => {
    expectRefusal(await read(owner, query), 400, 'validation_failed', field);
  });
});

describe('the list of generations', () => {
  const team = prepared(() => teamOf(service));
  const owner = prepared(async () => team.owner);
  const member = prepared(() => team.member());
  let pid: number;
  let ids: readonly number[];
  const read = (query: string) => service.call('GET', `/v2/generations?${query}`, { token: owner.token });

  beforeAll(async () => {
    const persona = await service.call('POST', '/v2/personas', { token: owner.token, json: { name: 'Ada' } });
    pid = persona.body.persona.id;
    const add = (userId: number, made: Made) => generationOf(team.workspaceId, userId, made);
    ids = [
      await add(owner.userId, { model: 'a', state: 'failed', at: '2026-10-01T00:00:00Z' }),
      await add(owner.userId, { model: 'b', state: 'succeeded', at: '2026-10-02T00:00:00Z' }),
      await add(member.userId, { model: 'a', state: 'succeeded', at: '2026-10-03T00:00:00Z', personaId: pid }),
      await add(member.userId, { model: 'a', state: 'running', at: '2026-10-04T00:00:00Z' }),
    ];
  });

  it.each([
    ['state=failed', [0]],
    ['state=succeeded', [2, 1]],
    ['state=queued', []],
    ['model=a', [3, 2, 0]],
    ['model=unknown', []],
    ['pid=PID', [2]],
    ['pid=999999', []],
    ['user_id=MEMBER', [3, 2]],
    ['after=2026-10-02', [3, 2, 1]],
    ['after=2026-10-02T00:00:00.001Z', [3, 2]],
    ['before=2026-10-02', [0]],
    ['before=2026-10-02T02:00:00.001%2B02:00', [1, 0]],
    ['after=2026-10-02&before=2026-10-04', [2, 1]],
    ['state=succeeded&model=a&pid=PID&user_id=MEMBER&after=2026-10-01&before=2027-01-01', [2]],
    ['state=succeeded&model=b&user_id=MEMBER', []],
  ])('has with %s those that match all of it, newest first', async (query, expected) => {
    const { status, body } = await read(query.replace('PID', `${pid}`).replace('MEMBER', `${member.userId}`));
    expect(status).toBe(200);
    expect(body.generations.map(({ id }: { id: number }) => ids.indexOf(id))).toEqual(expected);
  });

  it('finds generations by time despite clock differences of machines', async () => {
    const { workspaceId, owner: other } = await teamOf(service);
    const { token, userId } = other;
    const made: number[] = [];
    for (const time of ['01T00:00', '05T10:10', '05T10:00', '05T11:30', '06T00:00']) {
      made.push(await generationOf(workspaceId, userId, { at: `2026-10-${time}:00Z` }));
    }
    const found = async (query: string) => {
      const { body } = await service.call('GET', `/v2/generations?${query}`, { token });
      return body.generations.map(({ id }: { id: number }) => made.indexOf(id));
    };
    expect(await found('after=2026-10-05T10:05:00Z')).toEqual([4, 3, 1]);
    expect(await found('after=2026-10-05&before=2026-10-05T10:05:00Z')).toEqual([2]);
  });

  it('has pages within a filter', async () => {
    const first = await read('model=a&limit=2');
    const rest = await read(`model=a&limit=2&cursor=${first.body.next_cursor}`);
    const found = [...first.body.generations, ...rest.body.generations].map(({ id }) => ids.indexOf(id));
    expect([found, rest.body.next_cursor]).toEqual([[3, 2, 0], null]);
  });

  it.each([
    ['state=done', 'state'],
    ['before=2026-10-02T00:00', 'before'],
  ])('is refused for %s', async (query, field) => {
    expectRefusal(await read(query), 400, 'validation_failed', field);
  });
});

describe.each([
  ['boards', '/boards'],
  ['personas', '/v2/personas'],
] as const)('the list of %s', (kind, path) => {
  it('filters names with q, in any case, in pages', async () => {
    const { token } = await service.signUp();
    const names = ['100% Sommer', 'sommer_äpfel', 'Winter', 'SOMMER ÄPFEL'];
    for (const name of names) await service.call('POST', path, { token, json: { name } });
    const read = async (query: string) => (await service.call('GET', `${path}?${query}`, { token })).body;
    const found = async (q: string) =>
      (await read(`q=${encodeURIComponent(q)}`))[kind].map(({ name }: { name: string }) => name);
    expect(await found('Sommer')).toEqual(['SOMMER ÄPFEL', 'sommer_äpfel', '100% Sommer']);
    expect(await found('äPFEL')).toEqual(['SOMMER ÄPFEL', 'sommer_äpfel']);
    expect(await found('%')).toEqual(['100% Sommer']);
    expect(await found('r_ä')).toEqual(['sommer_äpfel']);
    expect(await found('autumn')).toEqual([]);
    expect(await found('')).toEqual(expect.arrayContaining(names));

    const first = await read('q=sommer&limit=2');
    const rest = await read(`q=sommer&limit=2&cursor=${first.next_cursor}`);
    expect([first[kind].length, rest[kind].length, rest.next_cursor]).toEqual([2, 1, null]);
  });

  it('is refused for a q that no name can contain', async () => {
    const { token } = await service.signUp();
    const refused = await service.call('GET', `${path}?q=${'x'.repeat(256)}`, { token });
    expectRefusal(refused, 400, 'validation_failed', 'q');
  });
});
