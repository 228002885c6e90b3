import { beforeEach, describe, expect, it } from '@jest/globals';
import { emailOf, type Actor } from '#identity';
import { DomainError } from '#kernel';
import { CountedTokenSecrets, someone } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import {
  InMemoryTeamStore,
  MailBox,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  tokenIn,
  type TestMember,
  type TestTeam,
} from '#testing/team';
import { MailRefused } from '../ports/mail.ts';
import { InviteMember } from './invite-member.ts';
import { ListInvitations } from './list-invitations.ts';
import { PostponeInvitation } from './postpone-invitation.ts';
import { RespondToInvitation } from './respond-to-invitation.ts';
import { RevokeInvitation } from './revoke-invitation.ts';
import { SendInvitation } from './send-invitation.ts';

const places = { apiUrl: 'https://api.test', pageUrl: null };
const wholeList = { limit: null, after: null };
const run = { signal: new AbortController().signal };

let store: InMemoryTeamStore;
let clock: ManualClock;
let jobs: RecordedJobs;
let mail: MailBox;
let team: TestTeam;
let owner: Actor;
let invite: InviteMember;
let send: SendInvitation;
let respond: RespondToInvitation;
let revoke: RevokeInvitation;
let list: ListInvitations;
let postpone: PostponeInvitation;

const actorOf = ({ userId }: TestMember, role: Actor['role']): Actor => ({
  userId,
  workspaceId: team.workspaceId,
  role,
  plan: 'enterprise',
  isTeam: true,
  tokenId: 1,
});
const refusal = (code: string) => expect.objectContaining({ code });

beforeEach(async () => {
  store = new InMemoryTeamStore();
  clock = new ManualClock();
  jobs = new RecordedJobs();
  mail = new MailBox();
  const { accounts, members, invitations, teams, unitOfWork } = store;
  const secrets = new CountedTokenSecrets();
  invite = new InviteMember(accounts, members, invitations, jobs, unitOfWork, clock);
  send = new SendInvitation(invitations, mail, secrets, places, clock);
  respond = new RespondToInvitation(invitations, teams, secrets, unitOfWork, clock);
  revoke = new RevokeInvitation(members, invitations, unitOfWork, clock);
  list = new ListInvitations(invitations, clock);
  postpone = new PostponeInvitation(invitations, jobs);
  team = await newTeam(store);
  owner = actorOf(team.owner, 'owner');
});

/** Invites an address, and mails it. */
async function invited(email: string, role: 'admin' | 'member' = 'member') {
  const invitation = await invite.run(owner, { email, role });
  await send.run(invitation.id, run);
  return { invitation, token: tokenIn(mail.sent.at(-1)!) };
}

describe('inviting somebody', () => {
  it('is for 7 days, mailed by a job that carries no token', async () => {
    const invitation = await invite.run(owner, { email: 'Ada@Example.COM', role: 'admin' });
    expect(invitation).toEqual({
      id: invitation.id,
      workspaceId: team.workspaceId,
      email: 'ada@example.com',
      role: 'admin',
      invitedBy: team.owner.email,
      delivery: 'waiting',
      createdAt: clock.now(),
      expiresAt: new Date(clock.now().getTime() + 7 * 86_400_000),
    });
    expect(jobs.announced).toEqual([
      { name: 'invitation.send', payload: { invitationId: invitation.id }, delaySeconds: 0, bulk: false },
    ]);
  });

  it('is refused for whoever has an account, in the team or not', async () => {
    const [member, stranger] = [await newMember(store, team), await newUser(store)];
    for (const { email } of [member, stranger, team.owner]) {
      await expect(invite.run(owner, { email: email.toUpperCase(), role: 'member' })).rejects.toEqual(
        refusal('user_exists'),
      );
    }
  });

  it.each(['', 'ada', 'ada@', 'a@b@c.d', 'ada@example.com\r\nBcc: all@example.com', 'a b@example.com'])(
    'takes an e-mail address, not %j',
    async (email) => {
      await expect(invite.run(owner, { email, role: 'member' })).rejects.toEqual(
        refusal('validation_failed'),
      );
    },
  );

  it('is for admins and the owner of a team, in the role they have by now', async () => {
    const [admin, member] = [await newMember(store, team, 'admin'), await newMember(store, team)];
    const asking = (actor: Actor) => invite.run(actor, { email: someone().email, role: 'member' });
    await asking(actorOf(admin, 'admin'));
    await expect(asking(actorOf(member, 'member'))).rejects.toEqual(refusal('forbidden'));
    await expect(asking(actorOf(member, 'admin'))).rejects.toEqual(refusal('forbidden'));
    await expect(asking({ ...owner, isTeam: false })).rejects.toEqual(refusal('conflict'));
    await store.members.remove(team.workspaceId, admin.userId);
    await expect(asking(actorOf(admin, 'admin'))).rejects.toEqual(refusal('forbidden'));
  });

  it('shows who has not answered yet', async () => {
    const { invitation } = await invited('ada@example.com');
    expect((await list.run(owner, wholeList)).items).toEqual([{ ...invitation, delivery: 'sent' }]);
    const member = actorOf(await newMember(store, team), 'member');
    await expect(list.run(member, wholeList)).rejects.toEqual(refusal('forbidden'));
  });
});

describe('the mail of an invitation', () => {
  it('carries a token that works, to the invited address', async () => {
    const { token } = await invited('ada@example.com', 'admin');
    expect(mail.sent.map(({ to }) => to)).toEqual(['ada@example.com']);
    const ada = await newUser(store, emailOf('ada@example.com'));
    await respond.run(ada, { token, answer: 'accepted' });
    expect((await rolesIn(store, team.workspaceId))[ada.userId]).toBe('admin');
  });

  it('is repeated after a failure, and the token of each works', async () => {
    const { invitation, token } = await invited('ada@example.com');
    await send.run(invitation.id, run);
    const again = tokenIn(mail.sent[1]!);
    expect(again).not.toBe(token);
    const ada = await newUser(store, emailOf('ada@example.com'));
    await respond.run(ada, { token, answer: 'declined' });
    await expect(respond.run(ada, { token: again, answer: 'accepted' })).rejects.toEqual(
      refusal('invalid_invitation'),
    );
  });

  it('waits while the mail server is down, and is not lost', async () => {
    const { id } = await invite.run(owner, { email: 'ada@example.com', role: 'member' });
    const down = new DomainError('unavailable', 'down');
    mail.failure = down;
    await expect(send.run(id, run)).rejects.toBe(down);
    await postpone.run(id, down);
    expect(jobs.announced.at(-1)).toEqual({
      name: 'invitation.send',
      payload: { invitationId: id },
      delaySeconds: 600,
      bulk: false,
    });
    expect((await list.run(owner, wholeList)).items[0]).toMatchObject({ delivery: 'waiting' });
    mail.failure = null;
    await send.run(id, run);
    expect((await list.run(owner, wholeList)).items[0]).toMatchObject({ delivery: 'sent' });
  });

  it('is given up when it is refused for good, which the team can see', async () => {
    const { id } = await invite.run(owner, { email: 'ada@example.com', role: 'member' });
    await postpone.run(id, new MailRefused('550 no such user'));
    expect(jobs.announced).toHaveLength(1);
    expect((await list.run(owner, wholeList)).items[0]).toMatchObject({ delivery: 'refused' });
  });

  it('is not sent for an invitation that is over', async () => {
    const { id } = await invite.run(owner, { email: 'ada@example.com', role: 'member' });
    const { id: revoked } = await invite.run(owner, { email: 'bob@example.com', role: 'member' });
    await revoke.run(owner, revoked);
    await send.run(revoked, run);
    await send.run(999_999_999, run);
    clock.advance(7 * 86_400);
    await send.run(id, run);
    expect(mail.sent).toEqual([]);
  });
});

describe('answering an invitation', () => {
  it('accepts once, and tells which team', async () => {
    const { token } = await invited('ada@example.com');
    const ada = await newUser(store, emailOf('ada@example.com'));
    expect(await respond.run(ada, { token, answer: 'accepted' })).toEqual({
      state: 'accepted',
      team: { id: team.workspaceId, owner: team.owner.email },
    });
    expect(await store.members.find(team.workspaceId, ada.userId)).toMatchObject({
      role: 'member',
      addedBy: team.owner.email,
      joinedAt: clock.now(),
    });
  });

  it('declines without joining', async () => {
    const { token } = await invited('ada@example.com');
    const ada = await newUser(store, emailOf('ada@example.com'));
    expect(await respond.run(ada, { token, answer: 'declined' })).toMatchObject({ state: 'declined' });
    expect(await rolesIn(store, team.workspaceId)).toEqual({ [team.owner.userId]: 'owner' });
  });

  it('refuses everything else alike', async () => {
    const { token, invitation } = await invited('ada@example.com');
    const [ada, eve] = [await newUser(store, emailOf('ada@example.com')), await newUser(store)];
    const refusals = new Set<string>();
    const refused = async (user: TestMember, given: string) => {
      const error = await respond.run(user, { token: given, answer: 'accepted' }).then(
        () => null,
        (thrown: DomainError) => thrown,
      );
      expect(error?.code).toBe('invalid_invitation');
      refusals.add(error!.message);
    };
    for (const wrong of [
      'x',
      '',
      `x12_${'A'.repeat(43)}`,
      token.replace('x12_', 'X12_'),
      `${token} `,
      'a'.repeat(99_999),
    ]) {
      await refused(ada, wrong);
    }
    await refused(eve, token);
    await revoke.run(owner, invitation.id);
    await refused(ada, token);
    const { token: late } = await invited('late@example.com');
    const latecomer = await newUser(store, emailOf('late@example.com'));
    clock.advance(7 * 86_400);
    await refused(latecomer, late);
    expect(refusals.size).toBe(1);
  });
});

describe('revoking an invitation', () => {
  it('is for admins and the owner of its team, once', async () => {
    const { invitation } = await invited('ada@example.com');
    const member = actorOf(await newMember(store, team), 'member');
    await expect(revoke.run(member, invitation.id)).rejects.toEqual(refusal('forbidden'));
    const other = await newTeam(store);
    const stranger = { ...actorOf(other.owner, 'owner'), workspaceId: other.workspaceId };
    await expect(revoke.run(stranger, invitation.id)).rejects.toEqual(refusal('not_found'));
    await revoke.run(owner, invitation.id);
    await expect(revoke.run(owner, invitation.id)).rejects.toEqual(refusal('not_found'));
  });
});
