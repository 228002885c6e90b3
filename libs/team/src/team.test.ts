import { RecordedEvents } from '#testing/events';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assertActive, type Actor, type Email } from '#identity';
import { DomainError, type Role } from '#kernel';
import { MailRefused } from '#mail';
import { CountedTokenSecrets, someone } from '#testing/identity';
import { tokenIn } from '#testing/mail';
import { itInRounds } from '../../../test/support/rounds.ts';
import { accounts, auditLog, clock, db, jobs, mail, passwords } from '../../../test/support/identity-stage.ts';
import {
  actorOf,
  join,
  later,
  newMember,
  newTeam,
  newUser,
  pendingIn,
  rolesIn,
  someInvitation,
  teamStoresOn,
  wholeList,
  type TeamStores,
  type TestMember,
  type TestTeam,
} from '../../../test/support/team-store.ts';
import type { PendingInvitation } from './domain/invitation.ts';
import { InvitationMails, Invitations } from './invitations.ts';
import { Members } from './members.ts';

const password = 'correct horse battery staple';
const plans = {
  enterprise: { id: 'enterprise', monthlyCredits: 1, teams: true },
  pro: { id: 'pro', monthlyCredits: 1, teams: false },
};
const urls = { api: 'https://api.test', page: null };
const run = { signal: new AbortController().signal };
const secrets = new CountedTokenSecrets();
const events = new RecordedEvents();

/** Gate of a workspace that is suspended, or is not. */
const gate = { isSuspended: false, requireActive: async () => assertActive(gate.isSuspended) };

let store: TeamStores;
let team: TestTeam;
let people: Readonly<Record<Role, TestMember>>;
let owner: Actor;
let members: Members;
let invitations: Invitations;
let mails: InvitationMails;

beforeAll(() => {
  store = teamStoresOn(db.database);
});

beforeEach(async () => {
  gate.isSuspended = false;
  invitations = new Invitations({ auditLog, events, gate, ...store, limitsMails: true, secrets, plans, jobs, clock });
  const stores = { ...store, accountStore: store.accounts, additions: invitations };
  members = new Members({ auditLog, events, gate, ...stores, accounts, passwords, clock });
  mails = new InvitationMails(store.invitations, mail, secrets, urls, jobs, clock);
  team = await newTeam(store);
  people = { owner: team.owner, admin: await newMember(store, team, 'admin'), member: await newMember(store, team) };
  owner = as('owner');
});

const as = (role: Role, stale: Partial<Actor> = {}): Actor => ({ ...actorOf(team, people[role], role), ...stale });
const roles = () => rolesIn(store, team.workspaceId);
const pending = () => pendingIn(store, team.workspaceId, clock.now());
/** The result, or the error code. */
const outcome = (act: Promise<unknown>) => act.catch((error: { code: string }) => error.code);
const inviting = (email = someone().email, actor = owner) => invitations.invite(actor, { email, role: 'member' });

describe('adding a member', () => {
  const listed = async () => (await store.views.members(team.workspaceId, clock.now(), wholeList)).items;

  it('with an account sends an invitation, which replaces an earlier one', async () => {
    const user = await newUser(store);
    const times = { createdAt: clock.now(), expiresAt: later(7, clock.now()) };
    await store.invitations.add(someInvitation(team, { email: user.email, ...times }));
    const member = { ...user, name: null, role: 'admin', joinedAt: null, addedBy: people.admin.email };
    const expected = { createdUser: false, member: { ...member, isConfirmed: false } };
    const email = user.email.toUpperCase();
    expect(await members.add(as('admin'), { email, role: 'admin', password: null })).toEqual(expected);
    expect(await listed()).toContainEqual(expected.member);
    const [{ id }] = (await pending()) as [PendingInvitation];
    expect(await pending()).toMatchObject([{ email: user.email, role: 'admin', delivery: 'waiting' }]);
    expect(user.userId in (await roles())).toBe(false);
    await mails.send(id, run);
    await invitations.respond(user, { token: tokenIn(mail.sent[0]!), act: 'accept' });
    expect(await listed()).toContainEqual({ ...expected.member, name: 'Someone', joinedAt: clock.now() });
    expect(await pending()).toEqual([]);
  });

  it('is refused for members of this and other teams, and leaves nothing pending', async () => {
    const adding = ({ email }: TestMember) => outcome(members.add(owner, { email, role: 'member', password: null }));
    expect(await adding(people.member)).toBe('already_member');
    expect(await adding((await newTeam(store)).owner)).toBe('in_other_team');
    expect(await outcome(members.add(owner, { ...someone(), role: 'member', password: null }))).toBe('not_found');
    expect(await pending()).toEqual([]);
  });

  it('can be taken back while pending, only by admins and the owner', async () => {
    const user = await newUser(store);
    await members.add(owner, { email: user.email, role: 'member', password: null });
    const removing = (role: Role) => outcome(members.remove(as(role), user.userId));
    expect(await removing('member')).toBe('forbidden');
    expect(await pending()).toHaveLength(1);
    expect(await removing('admin')).toBe(false);
    expect(await pending()).toEqual([]);
    expect(await removing('admin')).toBe('not_found');
  });

  it('creates an account if a password is given', async () => {
    const email = someone().email;
    const added = await members.add(as('owner'), { email, role: 'member', password });
    expect(added).toMatchObject({ createdUser: true, member: { email, role: 'member', isConfirmed: false } });
    expect(await store.accounts.findByEmail(email)).toMatchObject({ passwordHash: `plain:${password}` });
  });

  it('is allowed to admins and the owner of a team, by their current role', async () => {
    const adding = async (actor: Actor) =>
      outcome(members.add(actor, { email: (await newUser(store)).email, role: 'member', password: null }));
    expect(await adding(as('admin'))).toMatchObject({ createdUser: false });
    expect(await adding(as('member', { role: 'admin' }))).toBe('forbidden');
    expect(await adding(as('owner', { isTeam: false }))).toBe('conflict');
  });
});

describe('inviting an address again and again', () => {
  it('mails it three times within an hour, by all teams together, and then makes invitations without mails', async () => {
    const { email } = someone();
    const other = await newTeam(store);
    const announced = () => jobs.announced.filter(({ name }) => name === 'invitation.send').length;
    const before = announced();
    const deliveries = [
      (await inviting(email)).delivery,
      (await inviting(email, actorOf(other, other.owner, 'owner'))).delivery,
      (await inviting(email)).delivery,
      (await inviting(email)).delivery,
    ];
    expect(deliveries).toEqual(['waiting', 'waiting', 'waiting', 'limited']);
    expect(announced() - before).toBe(3);
    expect(await pending()).toMatchObject([{ email, delivery: 'limited' }]);
  });

  itInRounds('mails it three times, however many teams invite it at once', async () => {
    const { email } = someone();
    const teams = await Promise.all([1, 2, 3, 4, 5].map(() => newTeam(store)));
    const sent = await Promise.all(teams.map((each) => inviting(email, actorOf(each, each.owner, 'owner'))));
    expect(sent.map(({ delivery }) => delivery).toSorted()).toEqual([
      ...['limited', 'limited'],
      ...['waiting', 'waiting', 'waiting'],
    ]);
  });

  it('mails it again after an hour', async () => {
    const { email } = someone();
    for (let times = 0; times < 3; times++) {
      const { id } = await store.invitations.add(someInvitation(team, { email, createdAt: clock.now() }));
      await db.query(`update invitations set created_at = created_at - interval '1 hour' where id = $1`, [id]);
    }
    expect((await inviting(email)).delivery).toBe('waiting');
  });
});

describe('removing a member', () => {
  const removing = (actor: Actor, { userId }: TestMember) => outcome(members.remove(actor, userId));

  it.each([
    ['owner', 'owner', 'owner_not_removable'],
    ['admin', 'admin', true],
    ['admin', 'member', false],
    ['member', 'admin', 'forbidden'],
    ['member', 'member', true],
  ] as const)('by the %s, of the %s: %s', async (caller, target, expected) => {
    expect(await removing(as(caller), people[target])).toBe(expected);
    expect(people[target].userId in (await roles())).toBe(typeof expected === 'string');
  });

  it('uses the current role of the caller, and finds no former member', async () => {
    const { admin, member } = people;
    const another = await newMember(store, team);
    expect(await removing(as('member', { role: 'admin' }), another)).toBe('forbidden');
    await members.remove(owner, admin.userId);
    expect(await removing(as('admin'), member)).toBe('forbidden');
    expect(await removing(owner, admin)).toBe('not_found');
    expect(await outcome(members.changeRole(owner, admin.userId, 'member'))).toBe('not_found');
  });
});

it.each([
  ['owner', 'admin', 'member', 'member'],
  ['owner', 'member', 'admin', 'admin'],
  ['owner', 'owner', 'admin', 'invalid_role_change'],
  ['owner', 'member', 'owner', 'invalid_role_change'],
  ['admin', 'owner', 'member', 'forbidden'],
] as const)('changing a role by the %s, of the %s, to %s: %s', async (caller, target, role, expected) => {
  const { userId } = people[target];
  const changing = members.changeRole(as(caller), userId, role).then((changed) => changed.role);
  expect(await outcome(changing)).toBe(expected);
  expect((await roles())[userId]).toBe(expected === role ? role : target);
});

describe('transferring the ownership', () => {
  it.each(['admin', 'member'] as const)('to the %s makes them the owner, and the owner an admin', async (to) => {
    const { userId } = people[to];
    expect(await members.transferOwnership(owner, userId)).toMatchObject({ ...people[to], role: 'owner' });
    expect(await roles()).toMatchObject({ [userId]: 'owner', [people.owner.userId]: 'admin' });
  });

  it.each([
    ['admin', 'admin', 'forbidden'],
    ['owner', 'owner', 'invalid_role_change'],
    ['owner', 'outsider', 'not_found'],
  ] as const)('by the %s, to the %s: %s', async (caller, to, expected) => {
    const { userId } = to === 'outsider' ? await newUser(store) : people[to];
    expect(await outcome(members.transferOwnership(as(caller), userId))).toBe(expected);
  });
});

/** An invited address with the token of its mail, and the user who has signed up with it since. */
async function invited(role: 'admin' | 'member' = 'member', by = owner) {
  const { email } = someone();
  const invitation = await invitations.invite(by, { email, role });
  await mails.send(invitation.id, run);
  return { invitation, token: tokenIn(mail.sent.at(-1)!), user: await newUser(store, email) };
}

describe('inviting an address', () => {
  it('creates an invitation for 7 days and a job without a token', async () => {
    const { email } = someone();
    const invitation = await invitations.invite(owner, { email: email.toUpperCase(), role: 'admin' });
    const { id } = invitation;
    expect(invitation).toEqual({
      state: 'pending',
      id,
      workspaceId: team.workspaceId,
      email,
      role: 'admin',
      inviter: { ...team.owner, name: 'Someone' },
      owner: { email: team.owner.email, name: 'Someone' },
      plan: 'enterprise',
      delivery: 'waiting',
      createdAt: clock.now(),
      expiresAt: later(7, clock.now()),
    });
    const { workspaceId } = team;
    const job = { name: 'invitation.send', payload: { invitationId: id }, workspaceId, delaySeconds: 0, bulk: false };
    expect(jobs.announced).toEqual([job]);
  });

  it('is refused for an address with an account, and for an invalid address', async () => {
    for (const { email } of [people.member, await newUser(store), team.owner]) {
      expect(await outcome(inviting(email.toUpperCase() as Email))).toBe('user_exists');
    }
    expect(await outcome(inviting('a@b@c.d' as Email))).toBe('validation_failed');
  });

  it('is allowed to admins and the owner of a team, by their current role', async () => {
    const asking = (actor: Actor) => outcome(inviting(someone().email, actor));
    expect(await asking(as('admin'))).toMatchObject({ state: 'pending' });
    expect(await asking(as('member', { role: 'admin' }))).toBe('forbidden');
    expect(await asking(as('owner', { isTeam: false }))).toBe('conflict');
    await store.members.remove(team.workspaceId, people.admin.userId);
    expect(await asking(as('admin'))).toBe('forbidden');
  });
});

describe('the mail of an invitation', () => {
  it('contains a token with which the user joins the team, added by the inviter', async () => {
    const { token, user } = await invited('admin');
    expect(mail.sent.map(({ to }) => to)).toEqual([user.email]);
    expect(await pending()).toMatchObject([{ email: user.email, delivery: 'sent' }]);
    const { workspaceId } = team;
    const now = clock.now();
    const accepted = { state: 'accepted', workspaceId, owner: { email: team.owner.email }, endedAt: now };
    expect(await invitations.respond(user, { token, act: 'accept' })).toMatchObject(accepted);
    const member = { role: 'admin', addedBy: team.owner.email, joinedAt: now };
    expect(await store.members.find(workspaceId, user.userId)).toMatchObject(member);
  });

  it('has a new token when it is repeated, and each token declines the invitation once', async () => {
    const { invitation, token, user } = await invited();
    await mails.send(invitation.id, run);
    const again = tokenIn(mail.sent[1]!);
    expect(again).not.toBe(token);
    expect(await invitations.respond(user, { token, act: 'decline' })).toMatchObject({ state: 'declined' });
    expect(await outcome(invitations.respond(user, { token: again, act: 'accept' }))).toBe('invalid_invitation');
    expect(user.userId in (await roles())).toBe(false);
    expect(await pending()).toEqual([]);
  });

  it('is retried later when the mail server is down', async () => {
    const { id } = await inviting();
    const down = new DomainError('unavailable', 'down');
    mail.failure = down;
    await expect(mails.send(id, run)).rejects.toBe(down);
    await mails.handleFailure(id, down, team);
    const job = { name: 'invitation.send', payload: { invitationId: id }, workspaceId: team.workspaceId, bulk: false };
    expect(jobs.announced).toEqual([
      { ...job, delaySeconds: 0 },
      { ...job, delaySeconds: 600 },
    ]);
    expect(await pending()).toMatchObject([{ delivery: 'waiting' }]);
  });

  it('is not retried when the address is refused, which the team can see', async () => {
    const { id } = await inviting();
    await mails.handleFailure(id, new MailRefused('550 no such user'), team);
    expect(jobs.announced).toHaveLength(1);
    expect(await pending()).toMatchObject([{ delivery: 'refused' }]);
  });

  it('is not sent for an ended or expired invitation', async () => {
    const [{ id }, { id: revoked }] = [await inviting(), await inviting()];
    await invitations.revoke(owner, revoked);
    await mails.send(revoked, run);
    await mails.send(999_999_999, run);
    clock.advance(7 * 86_400);
    await mails.send(id, run);
    expect(mail.sent).toEqual([]);
  });
});

it('only the invited user reads an invitation by its token, until it ends', async () => {
  const { invitation, token, user } = await invited('admin', as('admin'));
  const { admin, owner: ownedBy } = people;
  const read = await invitations.read(user, token);
  expect(read).toEqual({ ...invitation, delivery: 'sent' });
  expect(read.inviter).toEqual({ ...admin, name: 'Someone' });
  expect(read.owner).toEqual({ email: ownedBy.email, name: 'Someone' });
  expect(await outcome(invitations.read(admin, token))).toBe('invalid_invitation');
  expect(await pending()).toHaveLength(1);
  await invitations.revoke(owner, invitation.id);
  expect(await outcome(invitations.read(user, token))).toBe('invalid_invitation');
});

it('an invitation stays pending while the user is a member of another team', async () => {
  const { token, user } = await invited();
  const other = await newTeam(store);
  await join(store, other, user);
  expect(await outcome(invitations.respond(user, { token, act: 'accept' }))).toBe('in_other_team');
  expect(await pending()).toMatchObject([{ email: user.email }]);
  await store.members.remove(other.workspaceId, user.userId);
  const accepted = await invitations.respond(user, { token, act: 'accept' });
  expect(accepted).toMatchObject({ state: 'accepted', workspaceId: team.workspaceId });
});

it.each([
  ['is removed', () => members.remove(owner, people.admin.userId)],
  ['leaves', () => members.remove(as('admin'), people.admin.userId)],
  ['is demoted', () => members.changeRole(owner, people.admin.userId, 'member')],
])('invitations and pending additions end for good when their inviter %s', async (_, loseTheRight) => {
  const { token, user } = await invited('admin', as('admin'));
  const kept = await inviting();
  await members.add(as('admin'), { email: (await newUser(store)).email, role: 'member', password: null });
  expect(await pending()).toHaveLength(3);
  await loseTheRight();
  expect(await pending()).toEqual([kept]);
  if (people.admin.userId in (await roles())) await members.changeRole(owner, people.admin.userId, 'admin');
  else await join(store, team, people.admin, 'admin');
  expect(await outcome(invitations.respond(user, { token, act: 'accept' }))).toBe('invalid_invitation');
  expect(await pending()).toEqual([kept]);
});

it('an invitation is invalid while its team has no team plan', async () => {
  const { token, user } = await invited();
  const accepting = () => outcome(invitations.respond(user, { token, act: 'accept' }));
  await store.teams.update(team.workspaceId, { plan: 'pro' });
  for (const refused of [outcome(invitations.read(user, token)), accepting()]) {
    expect(await refused).toBe('invalid_invitation');
  }
  await store.teams.update(team.workspaceId, { plan: 'enterprise' });
  expect(await accepting()).toMatchObject({ state: 'accepted' });
});

it('an invitation is revoked once, by admins or the owner of its team', async () => {
  const { invitation } = await invited();
  const revoking = (actor: Actor) => outcome(invitations.revoke(actor, invitation.id));
  expect(await revoking(as('member'))).toBe('forbidden');
  expect(await revoking(actorOf(await newTeam(store)))).toBe('not_found');
  expect(await revoking(owner)).toBeUndefined();
  expect(await revoking(owner)).toBe('not_found');
});

describe('a suspended team', () => {
  it('is left by its members, and loses none in another way', async () => {
    gate.isSuspended = true;
    await expect(members.remove(owner, people.member.userId)).rejects.toMatchObject({ code: 'workspace_suspended' });
    expect(await members.remove(as('member'), people.member.userId)).toBe(true);
  });

  it('is not joined: an invitation stays until the suspension ends', async () => {
    const { token, user } = await invited();
    gate.isSuspended = true;
    const accept = () => invitations.respond(user, { token, act: 'accept' });
    await expect(accept()).rejects.toMatchObject({ code: 'workspace_suspended' });
    gate.isSuspended = false;
    expect(await accept()).toMatchObject({ state: 'accepted' });
  });
});
