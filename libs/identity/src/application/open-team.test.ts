import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import type { Plans } from '../domain/plans.ts';
import { CountedTokenSecrets, InMemoryIdentity, someone } from '../testing/index.ts';
import { Authenticate } from './authenticate.ts';
import { CreateToken } from './create-token.ts';
import { JoinTeam } from './join-team.ts';
import { OpenTeam } from './open-team.ts';
import { ReadMe } from './read-me.ts';

const plans: Plans = {
  free: { id: 'free', monthlyCredits: 100, teams: false },
  enterprise: { id: 'enterprise', monthlyCredits: 20_000, teams: true },
};

describe('a team', () => {
  let identity: InMemoryIdentity;
  let secrets: CountedTokenSecrets;
  let openTeam: OpenTeam;
  let joinTeam: JoinTeam;

  beforeEach(() => {
    identity = new InMemoryIdentity();
    secrets = new CountedTokenSecrets();
    openTeam = new OpenTeam(identity.teams, plans, new ManualClock());
    joinTeam = new JoinTeam(identity.teams, new ManualClock());
  });

  async function signedUp() {
    const { user } = await identity.accounts.open(someone());
    const create = new CreateToken(identity.tokens, secrets, new ManualClock());
    const { secret } = await create.run({ userId: user.id, name: 'test', expiresInDays: null });
    const authenticate = new Authenticate(identity.tokens, secrets, new ManualClock());
    return { userId: user.id, actor: async () => (await authenticate.run(secret))! };
  }

  it('is where its owner and its members act from then on', async () => {
    const owner = await signedUp();
    const workspaceId = await openTeam.run({ ownerUserId: owner.userId, plan: 'enterprise' });
    expect(await owner.actor()).toMatchObject({
      workspaceId,
      role: 'owner',
      plan: 'enterprise',
      isTeam: true,
    });

    const { user } = await identity.accounts.open(someone());
    await joinTeam.run({ workspaceId, userId: user.id, role: 'member', addedBy: owner.userId });
    await expect(
      joinTeam.run({ workspaceId, userId: user.id, role: 'admin', addedBy: owner.userId }),
    ).rejects.toMatchObject({ code: 'already_member' });
  });

  it.each(['free', 'unknown'])('is not opened on the plan %s, which is no team plan', async (plan) => {
    const { userId } = await signedUp();
    await expect(openTeam.run({ ownerUserId: userId, plan })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('leaves its members who they are', async () => {
    const owner = await signedUp();
    const readMe = new ReadMe(identity.accounts);
    const before = await readMe.run(await owner.actor());
    await openTeam.run({ ownerUserId: owner.userId, plan: 'enterprise' });
    expect(await readMe.run(await owner.actor())).toEqual(before);
  });
});
