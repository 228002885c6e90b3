/** @tier test */
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Month } from '#credits';
import { systemClock } from '#kernel';
import { InvitationMails, Invitations, Members } from '#team';
import { aModel } from '#testing/catalogue';
import { someone } from '#testing/identity';
import { MailBox, tokenIn } from '#testing/mail';
import * as wiring from '#wiring';
import { auditFindings } from '../support/audit.ts';
import { aCall, GenerationStage } from '../support/generation-store.ts';
import { Product } from '../support/product.ts';
import { itInRounds, rounds } from '../support/rounds.ts';
import {
  actorOf,
  newMember,
  newTeam,
  newUser,
  pendingIn,
  rolesIn,
  teamStoresOn,
  type TestTeam,
} from '../support/team-store.ts';
const run = { signal: new AbortController().signal };

const mail = new MailBox();
const clock = systemClock;
const plans = { enterprise: { id: 'enterprise', monthlyCredits: 1000, teams: true } };
const stage = await GenerationStage.open({
  poolSize: 20,
  clock,
  plans,
  models: [aModel({ cost: { credits: 1, parameter: null, per: 'output' } })],
  storesJobs: true,
});
const { db } = stage;
const store = teamStoresOn(db.database);
const product = new Product(db, { clock }).with(wiring.jobs, stage.jobs).with(wiring.plans, plans);
const invitations = product.get(Invitations);
const members = product.get(Members);
const mails = product.with(wiring.mail, mail).get(InvitationMails);
afterAll(() => stage.close());

describe('concurrent changes of a team in PostgreSQL', () => {
  /** Somebody who has just signed up, an invitation into the team for them, and its token. */
  async function invited(team: TestTeam, by = actorOf(team)) {
    const { email } = someone();
    const invitation = await invitations.invite(by, { email, role: 'member' });
    await mails.send(invitation.id, run);
    const user = await newUser(store, email);
    return { invitation, user, token: tokenIn(mail.sent.pop()!) };
  }

  /** How many were done, and the codes of the refusals. */
  async function outcomes(acts: readonly Promise<unknown>[]) {
    const settled = await Promise.allSettled(acts);
    const refused = settled.flatMap((act) =>
      act.status === 'rejected' ? [(act.reason as { code?: string }).code ?? String(act.reason)] : [],
    );
    return { done: settled.length - refused.length, refused: [...new Set(refused)].sort() };
  }

  it('one invitation accepted by ten: one of them accepts it', async () => {
    const team = await newTeam(store);
    for (let round = 0; round < rounds(); round++) {
      const { user, token } = await invited(team);
      const accepting = Array.from({ length: 10 }, () => invitations.respond(user, { token, act: 'accept' }));
      expect(await outcomes(accepting)).toEqual({ done: 1, refused: ['invalid_invitation'] });
      expect((await rolesIn(store, team.workspaceId))[user.userId]).toBe('member');
      await store.members.remove(team.workspaceId, user.userId);
    }
  });

  it('accepted, declined and revoked at once ends in one way', async () => {
    const team = await newTeam(store);
    const owner = actorOf(team);
    for (let round = 0; round < 3 + rounds(); round++) {
      const { user, token, invitation } = await invited(team);
      const rivals = {
        accept: () => invitations.respond(user, { token, act: 'accept' }),
        decline: () => invitations.respond(user, { token, act: 'decline' }),
        revoke: () => invitations.revoke(owner, invitation.id),
      };
      const names = Object.keys(rivals) as (keyof typeof rivals)[];
      names.push(...names.splice(0, round % 3));
      // In the first rounds each has ended once before the others begin; then all begin at once.
      const isInTurn = round < 3;
      const first = rivals[names[0]!]();
      if (isInTurn) await first;
      const settled = await Promise.allSettled([first, ...names.slice(1).map((name) => rivals[name]())]);
      const won = names.filter((_, index) => settled[index]!.status === 'fulfilled');
      expect(won).toEqual(isInTurn ? [names[0]] : [expect.any(String)]);
      expect(user.userId in (await rolesIn(store, team.workspaceId))).toBe(won[0] === 'accept');
      await store.members.remove(team.workspaceId, user.userId);
    }
  });

  it('accepted, while the address is added: they are a member, or the addition is pending', async () => {
    const team = await newTeam(store);
    const owner = actorOf(team, team.owner);
    for (let round = 0; round < rounds(); round++) {
      const { user, token } = await invited(team);
      const { refused } = await outcomes([
        invitations.respond(user, { token, act: 'accept' }),
        members.add(owner, { email: user.email, role: 'member', password: null }),
        invitations.respond(user, { token, act: 'accept' }),
        members.add(owner, { email: user.email, role: 'admin', password: null }),
      ]);
      for (const code of refused) expect(['already_member', 'invalid_invitation']).toContain(code);
      const isMember = user.userId in (await rolesIn(store, team.workspaceId));
      const pending = await pendingIn(store, team.workspaceId, new Date());
      expect(pending.map(({ email }) => email)).toEqual(isMember ? [] : [user.email]);
      if (isMember) await store.members.remove(team.workspaceId, user.userId);
      else await members.remove(owner, user.userId);
    }
  });

  it('accepted, while its inviter is removed: before that, or not at all', async () => {
    const team = await newTeam(store);
    for (let round = 0; round < rounds(); round++) {
      const admin = await newMember(store, team, 'admin');
      const { user, token } = await invited(team, actorOf(team, admin, 'admin'));
      const [accepted] = await Promise.allSettled([
        invitations.respond(user, { token, act: 'accept' }),
        members.remove(actorOf(team), admin.userId),
      ]);
      const roles = await rolesIn(store, team.workspaceId);
      expect([user.userId in roles, admin.userId in roles]).toEqual([accepted.status === 'fulfilled', false]);
      if (accepted.status === 'rejected') expect(accepted.reason).toMatchObject({ code: 'invalid_invitation' });
      expect(await pendingIn(store, team.workspaceId, new Date())).toEqual([]);
    }
  });

  itInRounds(
    'a member removed while they generate: nothing is accepted after it, all before is kept and paid',
    async (round) => {
      const team = await newTeam(store);
      const { workspaceId, owner } = team;
      const member = await newMember(store, team);
      const { userId } = member;
      const personaId = await stage.newPersona(workspaceId, owner.userId);
      const generate = () => stage.generations.request(actorOf(team, member, 'member'), aCall({ personaId }));
      const accepted = () => db.query<{ id: number }>('select id from generations where user_id = $1', [userId]);
      const untilRefused = async () => {
        for (let accepted = 0; ; accepted++) {
          const refusal = await generate().then(
            () => null,
            ({ code }) => code,
          );
          if (refusal !== null) return { accepted, refusal };
        }
      };
      let atRemoval = -1;
      const removal = async () => {
        await members.remove(actorOf(team), userId);
        atRemoval = (await accepted()).length;
      };
      // In every second round, once a generation was accepted.
      const first = round % 2 === 0 ? null : generate();
      const generating = [untilRefused(), untilRefused(), untilRefused()];
      await first;
      await store.unitOfWork.run(removal);
      const ended = await Promise.all(generating);
      expect(ended.map(({ refusal }) => refusal)).toEqual(['conflict', 'conflict', 'conflict']);
      const done = ended.reduce((sum, each) => sum + each.accepted, first ? 1 : 0);
      const kept = await accepted();
      expect([done, kept.length]).toEqual([atRemoval, atRemoval]);
      await expect(generate()).rejects.toMatchObject({ code: 'conflict' });

      const month = new Date().toISOString().slice(0, 7) as Month;
      const usage = () => store.views.usage(workspaceId, month, null);
      const used = { userId, role: null, used: atRemoval, generations: atRemoval };
      expect(await usage()).toMatchObject({
        totalUsed: atRemoval,
        members: atRemoval > 0 ? [used, { used: 0 }] : [{ used: 0 }],
      });
      if (kept.length > 0) {
        await stage.generations.cancel(actorOf(team), kept[0]!.id);
        expect((await usage()).totalUsed).toBe(atRemoval - 1);
      }
    },
  );

  it('two ownership transfers: one of them happens, and there is one owner', async () => {
    const team = await newTeam(store);
    const people = [team.owner, await newMember(store, team, 'admin'), await newMember(store, team)];
    for (let round = 0; round < rounds(); round++) {
      const roles = await rolesIn(store, team.workspaceId);
      const owner = people.find(({ userId }) => roles[userId] === 'owner')!;
      const heirs = people.filter((each) => each !== owner);
      const transfers = heirs.map(({ userId }) => members.transferOwnership(actorOf(team, owner), userId));
      expect(await outcomes(transfers)).toEqual({ done: 1, refused: ['forbidden'] });
      const after = await rolesIn(store, team.workspaceId);
      expect(Object.values(after).filter((role) => role === 'owner')).toHaveLength(1);
      expect(after[owner.userId]).toBe('admin');
    }
  });

  itInRounds('the heir removed while they inherit: they are the owner, or they are gone', async () => {
    const team = await newTeam(store);
    const [heir, admin] = [await newMember(store, team), await newMember(store, team, 'admin')];
    const owner = actorOf(team, team.owner);
    const { done, refused } = await outcomes([
      members.transferOwnership(owner, heir.userId),
      members.remove(actorOf(team, admin, 'admin'), heir.userId),
      members.remove(owner, admin.userId),
      members.remove(actorOf(team, heir, 'member'), heir.userId),
    ]);
    expect(done).toBeGreaterThan(0);
    for (const code of refused) expect(['not_found', 'owner_not_removable', 'forbidden']).toContain(code);
    const roles = await rolesIn(store, team.workspaceId);
    expect(roles[heir.userId] ?? roles[team.owner.userId]).toBe('owner');
  });

  itInRounds('of two admins who remove each other, one remains', async () => {
    const team = await newTeam(store);
    const [ada, bob] = [await newMember(store, team, 'admin'), await newMember(store, team, 'admin')];
    const removals = [
      members.remove(actorOf(team, ada, 'admin'), bob.userId),
      members.remove(actorOf(team, bob, 'admin'), ada.userId),
    ];
    expect(await outcomes(removals)).toEqual({ done: 1, refused: ['forbidden'] });
    expect(Object.keys(await rolesIn(store, team.workspaceId))).toHaveLength(2);
  });

  it('leaves books and records in order', async () => {
    expect(await auditFindings(db.url)).toEqual([]);
  });
});
