import { expect } from '@jest/globals';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { TestRequest } from './call-api.ts';
import { mailTo } from './mail-to.ts';
import {
  later,
  newMember,
  newTeam,
  newUser,
  someInvitation,
  teamStoresOn,
  withToken,
  type TestMember,
} from './team-store.ts';
import { prepared, useService } from './use-service.ts';

// Importing this file gives a suite a service, and teams with callers of every kind.

export const secrets = new RandomTokenSecrets();
export const password = 'correct horse battery staple';

export const service = useService();
const stores = prepared(async () => teamStoresOn(service.database.database));

export type PendingDto = Record<'email' | 'delivery', string>;

export interface Person extends TestMember {
  readonly token: string;
  readonly tokenId: number;
}

/** Adds a token of an existing user. */
const signIn = (user: TestMember): Promise<Person> => withToken(stores, user);

/** A team, and a caller in every relation to it. */
export async function cast() {
  const team = await newTeam(stores);
  const { workspaceId } = team;
  const [admin, member, target, removed, outsider, revoked, rival, owner] = await Promise.all([
    newMember(stores, team, 'admin').then(signIn),
    newMember(stores, team).then(signIn),
    newMember(stores, team).then(signIn),
    newMember(stores, team, 'admin').then(signIn),
    newUser(stores).then(signIn),
    newMember(stores, team, 'admin').then(signIn),
    newTeam(stores).then((other) => signIn(other.owner)),
    signIn(team.owner),
  ]);
  await stores.members.remove(workspaceId, removed.userId);
  await stores.tokens.revoke(revoked.userId, revoked.tokenId);
  const now = new Date();
  const facts = { invitedBy: admin.userId, createdAt: now, expiresAt: later(7, now) };
  const { id, email } = await stores.invitations.add(someInvitation(team, facts));
  const invitation = { id, token: secrets.create() };
  await stores.invitations.addToken(id, secrets.hash(invitation.token), now);
  const invited = await signIn(await newUser(stores, email));
  const anonymous = { token: undefined };
  const people = { anonymous, revoked, outsider, rival, invited, removed, member, admin, owner };
  return { team, workspaceId, invitation, target, people };
}

export type Cast = Awaited<ReturnType<typeof cast>>;
export type Caller = keyof Cast['people'];

/** For tests that change nothing. */
let shared: Promise<Cast> | null = null;
export const sharedCast = () => (shared ??= cast());

export const call = ({ token }: { token?: string }, method: string, path: string, form?: TestRequest['form']) =>
  service.call(method, path, { token, form });

/** Invites a user who has an account. */
export async function addAccount(by: Person, form: { email: string; role?: string }) {
  const { status, body } = await call(by, 'POST', '/v2/team/members', form);
  expect(status).toBe(201);
  return body;
}

/** Accepts the latest invitation of the person's address. */
export async function accept(person: Person): Promise<void> {
  const { text } = await mailTo(service, person.email);
  const token = /x12_[\w-]{43}$/m.exec(text)![0];
  const { body } = await call(person, 'POST', '/v2/team/respond_invitation', { token, act: 'accept' });
  expect(body.state).toBe('accepted');
}
