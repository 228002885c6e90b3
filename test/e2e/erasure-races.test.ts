import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresTokens } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { objectStorage } from '#wiring';
import { storedKeys } from '#testing/files';
import { aToken, someone } from '#testing/identity';
import { aPng } from '#testing/sources';
import { auditFindings } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import {
  join,
  newTeam,
  newUser,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestMember,
} from '../support/team-store.ts';
import { tracesOf } from '../support/traces-of.ts';
const secrets = new RandomTokenSecrets();
const PLANS = JSON.stringify({
  free: { monthly_credits: 1000, teams: false },
  enterprise: { monthly_credits: 1000, teams: true },
});

let service: TestService;
let store: TeamStores;
beforeAll(async () => {
  service = await startService({ PLANS });
  store = teamStoresOn(service.database.database);
});
afterAll(() => service.stop());
// Refused erasures of an address are slowed down.
beforeEach(() => service.database.query('delete from rate_limits'));

interface Person extends TestMember {
  readonly token: string;
}

/** A user without a password, in a session that was just opened. */
async function signedIn(user: TestMember): Promise<Person> {
  const token = secrets.create();
  const facts = { userId: user.userId, hash: secrets.hash(token), kind: 'log_in', createdAt: new Date() } as const;
  await new PostgresTokens(service.database.database).add(aToken(facts));
  return { ...user, token };
}
const newPerson = async () => signedIn(await newUser(store));

const call = async (method: string, path: string, { token }: Pick<Person, 'token'>, json?: object) =>
  (await service.call(method, path, { token, json })).status;
const erase = (person: Person) => call('DELETE', '/v2/auth/me', person, { email: person.email });
const erased = ({ userId }: Person) =>
  eventually(() => service.database.one('select from users where id = $1 and erased_at is not null', [userId]));

/** Runs two calls at once, the first or the second a little earlier from round to round. */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const lead = (round % 10) - 5;
  return Promise.all([sleep(Math.max(0, lead)).then(one), sleep(Math.max(0, -lead)).then(other)]);
}

async function expectWellDone(person: Person): Promise<void> {
  await erased(person);
  expect(await tracesOf(service.database, person.email)).toEqual([]);
  const memberships = 'select from memberships where user_id = $1';
  expect(await service.database.query(memberships, [person.userId])).toEqual([]);
}
describe('the erasure of a person', () => {
  it('against accepting an invitation: they are in no team, which stays', async () => {
    for (let round = 0; round < rounds(); round++) {
      const [team, person] = [await newTeam(store), await newPerson()];
      const now = new Date();
      const facts = { email: person.email, createdAt: now, expiresAt: new Date(now.getTime() + 86_400_000) };
      const { id } = await store.invitations.add(someInvitation(team, facts));
      const token = secrets.create();
      await store.invitations.addToken(id, secrets.hash(token), now);
      const accept = () => call('POST', '/v2/team/respond_invitation', person, { token, act: 'accept' });
      const [gone, accepted] = await race(round, () => erase(person), accept);
      // The caller acted in the team already: then the request has to be sent again.
      expect(gone === 403 ? await erase(person) : gone).toBe(202);
      expect([200, 400, 401, 403]).toContain(accepted);
      await expectWellDone(person);
      const { workspaceId } = team;
      expect(await service.database.query('select from workspaces where id = $1', [workspaceId])).toHaveLength(1);
    }
  });

  it('against a second one: one of them is accepted', async () => {
    for (let round = 0; round < rounds(); round++) {
      const person = await newPerson();
      const statuses = await race(
        round,
        () => erase(person),
        () => erase(person),
      );
      expect(statuses.sort()).toEqual([202, 401]);
      await expectWellDone(person);
    }
  });

  it('against a sign-up with the address: the new account stays as it is', async () => {
    for (let round = 0; round < rounds(); round++) {
      const person = await newPerson();
      const signUp = () => store.accounts.open(someone({ email: person.email })).catch(() => null);
      const [gone, opened] = await race(round, () => erase(person), signUp);
      expect(gone).toBe(202);
      await erased(person);
      const rows = await service.database.query('select id from users where email = $1', [person.email]);
      expect(rows).toEqual(opened ? [{ id: opened.user.id }] : []);
    }
  });

  it('against becoming the owner of a team: the team always has one who is there', async () => {
    for (let round = 0; round < rounds(); round++) {
      const team = await newTeam(store);
      const [owner, person] = [await signedIn(team.owner), await newPerson()];
      await join(store, team, person, 'admin');
      const transfer = () => call('POST', '/v2/team/transfer_ownership', owner, { user_id: person.userId });
      const [gone, transferred] = await race(round, () => erase(person), transfer);
      expect([gone, transferred].sort()).toEqual(transferred === 200 ? [200, 409] : [202, 404]);
      const owners = `select email from memberships join users on users.id = user_id
        where workspace_id = $1 and role = 'owner'`;
      const email = transferred === 200 ? person.email : owner.email;
      expect(await service.database.query(owners, [team.workspaceId])).toEqual([{ email }]);
      if (gone === 202) await expectWellDone(person);
    }
  });

  it('against a generation: none is left, nor its credits', async () => {
    for (let round = 0; round < rounds(); round++) {
      const person = await newPerson();
      const generate = () =>
        call('POST', '/v2/generate', person, { model: 'local-image', width: 64, prompt: person.email });
      const [gone, accepted] = await race(round, () => erase(person), generate);
      expect(gone).toBe(202);
      expect([202, 401, 409]).toContain(accepted);
      await expectWellDone(person);
      for (const table of ['generations', 'credit_entries', 'credit_usage']) {
        expect(await service.database.query(`select from ${table} where user_id = $1`, [person.userId])).toEqual([]);
      }
    }
  });

  it('against finalizing an upload: no byte of it is left', async () => {
    for (let round = 0; round < rounds(); round++) {
      const person = await newPerson();
      const { body } = await service.call('POST', '/v2/upload', { token: person.token, form: { filename: 'a.png' } });
      await fetch(body.signed_url, { method: 'PUT', body: new Uint8Array(aPng()) });
      const finalize = () => call('GET', `/v2/finalize_upload?url=${encodeURIComponent(body.final_url)}`, person);
      const [gone, finalized] = await race(round, () => erase(person), finalize);
      expect(gone).toBe(202);
      expect([200, 401, 404, 409]).toContain(finalized);
      await expectWellDone(person);
      const token = /\/files\/([^/]+)\//.exec(body.final_url)![1]!;
      const keys = await storedKeys(service.api.app.get(objectStorage, { strict: false }));
      expect(keys.filter((key) => key.includes(token))).toEqual([]);
    }
  });
});

it('leaves nothing for the audit to find', async () => {
  expect(await auditFindings(service.database.url)).toEqual([]);
});
