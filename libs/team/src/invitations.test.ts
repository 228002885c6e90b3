import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Actor } from '#identity';
import { DomainError } from '#kernel';
import { CountedTokenSecrets, someone } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  newMember,
  newTeam,
  newUser,
  rolesIn,
  teamStoresOn,
  wholeList,
  type TeamStores,
  type TestMember,
  type TestTeam,
} from '../../../test/support/team-store.ts';
import { InvitationMails, Invitations } from './invitations.ts';
import { MailRefused } from './ports.ts';
import { MailBox, tokenIn } from './testing/index.ts';

const places = { apiUrl: 'https://api.test', pageUrl: null };
const run = { signal: new AbortController().signal };
const secrets = new CountedTokenSecrets();

let db: TestDatabase;
let store: TeamStores;
let clock: ManualClock;
let jobs: RecordedJobs;
let mail: MailBox;
let team: TestTeam;
let owner: Actor;
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
  invitations = new Invitations({ ...store, secrets, jobs, clock });
  mails = new InvitationMails(store.invitations, mail, secrets, places, jobs, clock);
  team = await newTeam(store);
  owner = actorOf(team.owner, 'owner');
});

const actorOf = ({ userId }: TestMember, role: Actor['role']): Actor => ({
  userId,
  workspaceId: team.workspaceId,
  role,
  plan: 'enterprise',
  isTeam: true,
  tokenId: 1,
});
const refusal = (code: string) => expect.objectContaining({ code });
const pending = async () => (await store.views.invitations(team.workspaceId, clock.now(), wholeList)).items;

/** Invites an address, and mails the token. */
async function invited(email: string, role: 'admin' | 'member' = 'member') {
  const invitation = await invitations.invite(owner, { email, role });
  await mails.send(invitation.id, run);
  return { invitation, token: tokenIn(mail.sent.at(-1)!) };
}

/** An invited address, and the user who has signed up with it since. */
async function invitedUser(role: 'admin' | 'member' = 'member') {
  const { email } = someone();
  const { invitation, token } = await invited(email, role);
  return { invitation, token, user: await newUser(store, email) };
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
    const [member, outsider] = [await newMember(store, team), await newUser(store)];
    const inviting = (email: string) => invitations.invite(owner, { email, role: 'member' });
    for (const { email } of [member, outsider, team.owner]) {
      await expect(inviting(email.toUpperCase())).rejects.toEqual(refusal('user_exists'));
    }
    await expect(inviting('a@b@c.d')).rejects.toEqual(refusal('validation_failed'));
  });

  it('is for admins and the owner of a team, in the role they have now', async () => {
    const [admin, member] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    const asking = (actor: Actor) => invitations.invite(actor, { email: someone().email, role: 'member' });
    await asking(actorOf(admin, 'admin'));
    await expect(asking(actorOf(member, 'admin'))).rejects.toEqual(refusal('forbidden'));
    await expect(asking({ ...owner, isTeam: false })).rejects.toEqual(refusal('conflict'));
    await store.members.remove(team.workspaceId, admin.userId);
    await expect(asking(actorOf(admin, 'admin'))).rejects.toEqual(refusal('forbidden'));
  });
});

describe('the mail of an invitation', () => {
  it('carries a token that works, to the invited address', async () => {
    const { token, user } = await invitedUser('admin');
    expect(mail.sent.map(({ to }) => to)).toEqual([user.email]);
    expect(await pending()).toMatchObject([{ email: user.email, delivery: 'sent' }]);
    await invitations.respond(user, { token, act: 'accept' });
    expect((await rolesIn(store, team.workspaceId))[user.userId]).toBe('admin');
  });

  it('is repeated after a failure with another token, and the first one stays valid', async () => {
    const { invitation, token, user } = await invitedUser();
    await mails.send(invitation.id, run);
    const again = tokenIn(mail.sent[1]!);
    expect(again).not.toBe(token);
    await invitations.respond(user, { token, act: 'decline' });
    await expect(invitations.respond(user, { token: again, act: 'accept' })).rejects.toEqual(
      refusal('invalid_invitation'),
    );
  });

  it('is sent later when the mail server is down', async () => {
    const { id } = await invitations.invite(owner, { email: someone().email, role: 'member' });
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
    const { id } = await invitations.invite(owner, { email: someone().email, role: 'member' });
    await mails.giveUp(id, new MailRefused('550 no such user'));
    expect(jobs.announced).toHaveLength(1);
    expect(await pending()).toMatchObject([{ delivery: 'refused' }]);
  });

  it('is not sent for an invitation that has ended or expired', async () => {
    const { id } = await invitations.invite(owner, { email: someone().email, role: 'member' });
    const { id: revoked } = await invitations.invite(owner, { email: someone().email, role: 'member' });
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
    const { token, user } = await invitedUser();
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
    const { token, user } = await invitedUser();
    const declined = await invitations.respond(user, { token, act: 'decline' });
    expect(declined).toMatchObject({ state: 'declined' });
    expect(await rolesIn(store, team.workspaceId)).toEqual({ [team.owner.userId]: 'owner' });
    expect(await pending()).toEqual([]);
  });

  it('leaves it pending for a member of another team, until they have left that', async () => {
    const { token, user } = await invitedUser();
    const { workspaceId, owner: other } = await newTeam(store);
    const joinedAt = clock.now();
    const joining = { role: 'member', addedBy: other.userId, joinedAt } as const;
    await store.teams.join({ ...joining, workspaceId, userId: user.userId });
    const answering = invitations.respond(user, { token, act: 'accept' });
    await expect(answering).rejects.toEqual(refusal('in_other_team'));
    expect(await pending()).toMatchObject([{ email: user.email }]);
    await store.members.remove(workspaceId, user.userId);
    const accepted = await invitations.respond(user, { token, act: 'accept' });
    expect(accepted).toMatchObject({ state: 'accepted', workspaceId: team.workspaceId });
  });
});

describe('revoking an invitation', () => {
  it('is for admins and the owner of its team, once', async () => {
    const { invitation } = await invited(someone().email);
    const member = actorOf(await newMember(store, team), 'member');
    await expect(invitations.revoke(member, invitation.id)).rejects.toEqual(refusal('forbidden'));
    const other = await newTeam(store);
    const outsider = { ...actorOf(other.owner, 'owner'), workspaceId: other.workspaceId };
    await expect(invitations.revoke(outsider, invitation.id)).rejects.toEqual(refusal('not_found'));
    await invitations.revoke(owner, invitation.id);
    await expect(invitations.revoke(owner, invitation.id)).rejects.toEqual(refusal('not_found'));
  });
});
