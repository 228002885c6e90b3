import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts, type Actor, type Email } from '#identity';
import { DomainError, type Role } from '#kernel';
import { CountedTokenSecrets, PlainPasswords, someone } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  actorOf,
  join,
  newMember,
  newTeam,
  newUser,
  pendingIn,
  rolesIn,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestMember,
  type TestTeam,
} from '../../../test/support/team-store.ts';
import { InvitationMails, Invitations } from './invitations.ts';
import { Members } from './members.ts';
import { MailRefused } from './ports.ts';
import { MailBox, tokenIn } from './testing/index.ts';

const password = 'correct horse battery staple';
const places = { apiUrl: 'https://api.test', pageUrl: null };
const run = { signal: new AbortController().signal };
const secrets = new CountedTokenSecrets();
const passwords = new PlainPasswords();

let db: TestDatabase;
let store: TeamStores;
let clock: ManualClock;
let jobs: RecordedJobs;
let mail: MailBox;
let team: TestTeam;
let people: Readonly<Record<Role, TestMember>>;
let owner: Actor;
let members: Members;
let invitations: Invitations;
let mails: InvitationMails;

beforeAll(async () => {
  db = await createDatabase();
  store = teamStoresOn(db.database);
});
afterAll(() => db.drop());

beforeEach(async () => {
  clock = new ManualClock();
  jobs = new RecordedJobs();
  mail = new MailBox();
  const opening = { rules: { signUpEnabled: true, tokenDays: null }, hooks: [], tokens: undefined as never };
  const accounts = new Accounts({ ...store, ...opening, passwords, clock });
  members = new Members({ ...store, accountStore: store.accounts, accounts, passwords, clock });
  invitations = new Invitations({ ...store, secrets, jobs, clock });
  mails = new InvitationMails(store.invitations, mail, secrets, places, jobs, clock);
  team = await newTeam(store);
  people = { owner: team.owner, admin: await newMember(store, team, 'admin'), member: await newMember(store, team) };
  owner = as('owner');
});

const as = (role: Role, stale: Partial<Actor> = {}): Actor => ({ ...actorOf(team, people[role], role), ...stale });
const roles = () => rolesIn(store, team.workspaceId);
const pending = () => pendingIn(store, team.workspaceId, clock.now());
const refusal = (code: string) => expect.objectContaining({ code });
const outcome = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const inviting = (email = someone().email, actor = owner) => invitations.invite(actor, { email, role: 'member' });

describe('adding a member', () => {
  it('takes in somebody who has an account, whatever the case of the address', async () => {
    const user = await newUser(store);
    const added = await members.add(as('admin'), { email: user.email.toUpperCase(), role: 'admin', password: null });
    expect(added).toMatchObject({
      createdUser: false,
      member: { ...user, role: 'admin', addedBy: people.admin.email },
    });
  });

  it('opens an account for somebody who has none, when given a password for it', async () => {
    const email = someone().email;
    const added = await members.add(as('owner'), { email, role: 'member', password });
    expect(added).toMatchObject({ createdUser: true, member: { email, role: 'member', isConfirmed: false } });
    expect(await store.accounts.findByEmail(email)).toMatchObject({ passwordHash: `plain:${password}` });
  });

  it('revokes the invitation that waits for their answer', async () => {
    const user = await newUser(store);
    await store.invitations.add(someInvitation(team, { email: user.email }));
    await members.add(as('owner'), { email: user.email, role: 'member', password: null });
    expect(await pendingIn(store, team.workspaceId, new Date(0))).toEqual([]);
  });

  it('is for admins and the owner of a team, in the role they have by now', async () => {
    const adding = async (actor: Actor) =>
      outcome(members.add(actor, { email: (await newUser(store)).email, role: 'member', password: null }));
    expect(await adding(as('owner'))).toBe('done');
    expect(await adding(as('admin'))).toBe('done');
    expect(await adding(as('member'))).toBe('forbidden');
    expect(await adding(as('member', { role: 'admin' }))).toBe('forbidden');
    expect(await adding(as('owner', { isTeam: false }))).toBe('conflict');
  });
});

describe('removing a member', () => {
  it.each([
    ['owner', 'owner', 'owner_not_removable'],
    ['admin', 'owner', 'owner_not_removable'],
    ['admin', 'admin', 'done'],
    ['admin', 'member', 'done'],
    ['member', 'owner', 'forbidden'],
    ['member', 'admin', 'forbidden'],
    ['member', 'member', 'done'],
  ] as const)('by the %s, of the %s: %s', async (caller, target, expected) => {
    const { userId } = people[target];
    expect(await outcome(members.remove(as(caller), userId))).toBe(expected);
    expect(userId in (await roles())).toBe(expected !== 'done');
  });

  it('of another member needs more than leaving', async () => {
    const [admin, member] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    expect(await outcome(members.remove(as('member'), member.userId))).toBe('forbidden');
    expect(await members.remove(as('admin'), admin.userId)).toBe(false);
    expect(await members.remove(as('member'), people.member.userId)).toBe(true);
  });

  it('goes by the role that the caller has now', async () => {
    const stale = as('member', { role: 'admin' });
    expect(await outcome(members.remove(stale, people.admin.userId))).toBe('forbidden');
    await members.remove(as('owner'), people.admin.userId);
    expect(await outcome(members.remove(as('admin'), people.member.userId))).toBe('forbidden');
  });

  it('finds nobody who has left meanwhile', async () => {
    const { userId } = people.member;
    await members.remove(as('owner'), userId);
    expect(await outcome(members.remove(as('owner'), userId))).toBe('not_found');
    expect(await outcome(members.changeRole(as('owner'), userId, 'admin'))).toBe('not_found');
  });
});

describe('changing a role', () => {
  it.each([
    ['owner', 'admin', 'member', 'done'],
    ['owner', 'member', 'admin', 'done'],
    ['owner', 'owner', 'admin', 'invalid_role_change'],
    ['owner', 'member', 'owner', 'invalid_role_change'],
    ['admin', 'owner', 'member', 'forbidden'],
    ['member', 'member', 'admin', 'forbidden'],
  ] as const)('by the %s, of the %s, to %s: %s', async (caller, target, role, expected) => {
    const { userId } = people[target];
    expect(await outcome(members.changeRole(as(caller), userId, role))).toBe(expected);
    expect((await roles())[userId]).toBe(expected === 'done' ? role : target);
  });
});

describe('transferring the ownership', () => {
  it.each(['admin', 'member'] as const)('to the %s makes them the owner, and the owner an admin', async (to) => {
    const heir = await members.transferOwnership(as('owner'), people[to].userId);
    expect(heir).toMatchObject({ ...people[to], role: 'owner' });
    expect(await roles()).toMatchObject({ [people[to].userId]: 'owner', [people.owner.userId]: 'admin' });
  });

  it('is for the owner alone, to another member', async () => {
    const stranger = await newUser(store);
    const giving = (actor: Actor, { userId }: TestMember) => outcome(members.transferOwnership(actor, userId));
    expect(await giving(as('admin'), people.admin)).toBe('forbidden');
    expect(await giving(as('member'), people.admin)).toBe('forbidden');
    expect(await giving(as('owner'), people.owner)).toBe('invalid_role_change');
    expect(await giving(as('owner'), stranger)).toBe('not_found');
  });
});

/** An invited address with the token of its mail, and the user who has signed up with it since. */
async function invited(role: 'admin' | 'member' = 'member') {
  const { email } = someone();
  const invitation = await invitations.invite(owner, { email, role });
  await mails.send(invitation.id, run);
  return { invitation, token: tokenIn(mail.sent.at(-1)!), user: await newUser(store, email) };
}

describe('inviting an address', () => {
  it('is for 7 days, mailed by a job that carries no token', async () => {
    const { email } = someone();
    const invitation = await invitations.invite(owner, { email: email.toUpperCase(), role: 'admin' });
    expect(invitation).toEqual({
      state: 'pending',
      id: invitation.id,
      workspaceId: team.workspaceId,
      email,
      role: 'admin',
      inviter: { ...team.owner, name: 'Someone' },
      owner: team.owner.email,
      delivery: 'waiting',
      createdAt: clock.now(),
      expiresAt: new Date(clock.now().getTime() + 7 * 86_400_000),
    });
    expect(jobs.announced).toEqual([
      { name: 'invitation.send', payload: { invitationId: invitation.id }, delaySeconds: 0, bulk: false },
    ]);
  });

  it('is refused for an address with an account, in the team or not, and for what is no address', async () => {
    for (const { email } of [people.member, await newUser(store), team.owner]) {
      await expect(inviting(email.toUpperCase() as Email)).rejects.toEqual(refusal('user_exists'));
    }
    await expect(inviting('a@b@c.d' as Email)).rejects.toEqual(refusal('validation_failed'));
  });

  it('is for admins and the owner of a team, in the role they have now', async () => {
    const asking = (actor: Actor) => outcome(inviting(someone().email, actor));
    expect(await asking(as('admin'))).toBe('done');
    expect(await asking(as('member', { role: 'admin' }))).toBe('forbidden');
    expect(await asking(as('owner', { isTeam: false }))).toBe('conflict');
    await store.members.remove(team.workspaceId, people.admin.userId);
    expect(await asking(as('admin'))).toBe('forbidden');
  });
});

describe('the mail of an invitation', () => {
  it('carries a token that works, to the invited address', async () => {
    const { token, user } = await invited('admin');
    expect(mail.sent.map(({ to }) => to)).toEqual([user.email]);
    expect(await pending()).toMatchObject([{ email: user.email, delivery: 'sent' }]);
    await invitations.respond(user, { token, act: 'accept' });
    expect((await roles())[user.userId]).toBe('admin');
  });

  it('is repeated after a failure with another token, and the first one stays valid', async () => {
    const { invitation, token, user } = await invited();
    await mails.send(invitation.id, run);
    const again = tokenIn(mail.sent[1]!);
    expect(again).not.toBe(token);
    await invitations.respond(user, { token, act: 'decline' });
    await expect(invitations.respond(user, { token: again, act: 'accept' })).rejects.toEqual(
      refusal('invalid_invitation'),
    );
  });

  it('is sent later when the mail server is down', async () => {
    const { id } = await inviting();
    const down = new DomainError('unavailable', 'down');
    mail.failure = down;
    await expect(mails.send(id, run)).rejects.toBe(down);
    await mails.giveUp(id, down);
    expect(jobs.announced.at(-1)).toEqual({
      name: 'invitation.send',
      payload: { invitationId: id },
      delaySeconds: 600,
      bulk: false,
    });
    expect(await pending()).toMatchObject([{ delivery: 'waiting' }]);
  });

  it('is not sent again when the address is refused, and the team can see it', async () => {
    const { id } = await inviting();
    await mails.giveUp(id, new MailRefused('550 no such user'));
    expect(jobs.announced).toHaveLength(1);
    expect(await pending()).toMatchObject([{ delivery: 'refused' }]);
  });

  it('is not sent for an invitation that has ended or expired', async () => {
    const [{ id }, { id: revoked }] = [await inviting(), await inviting()];
    await invitations.revoke(owner, revoked);
    await mails.send(revoked, run);
    await mails.send(999_999_999, run);
    clock.advance(7 * 86_400);
    await mails.send(id, run);
    expect(mail.sent).toEqual([]);
  });
});

describe('answering an invitation', () => {
  it('accepts once, and the user joins the team by the inviter', async () => {
    const { token, user } = await invited();
    expect(await invitations.respond(user, { token, act: 'accept' })).toMatchObject({
      state: 'accepted',
      workspaceId: team.workspaceId,
      owner: team.owner.email,
      endedAt: clock.now(),
    });
    expect(await store.members.find(team.workspaceId, user.userId)).toMatchObject({
      role: 'member',
      addedBy: team.owner.email,
      joinedAt: clock.now(),
    });
  });

  it('declines without joining', async () => {
    const { token, user } = await invited();
    const declined = await invitations.respond(user, { token, act: 'decline' });
    expect(declined).toMatchObject({ state: 'declined' });
    expect(user.userId in (await roles())).toBe(false);
    expect(await pending()).toEqual([]);
  });

  it('leaves it pending for a member of another team, until they have left that', async () => {
    const { token, user } = await invited();
    const other = await newTeam(store);
    await join(store, other, user);
    const answering = invitations.respond(user, { token, act: 'accept' });
    await expect(answering).rejects.toEqual(refusal('in_other_team'));
    expect(await pending()).toMatchObject([{ email: user.email }]);
    await store.members.remove(other.workspaceId, user.userId);
    const accepted = await invitations.respond(user, { token, act: 'accept' });
    expect(accepted).toMatchObject({ state: 'accepted', workspaceId: team.workspaceId });
  });
});

describe('revoking an invitation', () => {
  it('is for admins and the owner of its team, once', async () => {
    const { invitation } = await invited();
    const revoking = (actor: Actor) => outcome(invitations.revoke(actor, invitation.id));
    expect(await revoking(as('member'))).toBe('forbidden');
    expect(await revoking(actorOf(await newTeam(store)))).toBe('not_found');
    expect(await revoking(owner)).toBe('done');
    expect(await revoking(owner)).toBe('not_found');
  });
});
