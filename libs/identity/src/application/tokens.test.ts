import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import type { Actor } from '../domain/actor.ts';
import { CountedTokenSecrets, InMemoryIdentity, someone } from '../testing/index.ts';
import { Authenticate } from './authenticate.ts';
import { CreateToken } from './create-token.ts';
import { ListTokens } from './list-tokens.ts';
import { RevokeToken } from './revoke-token.ts';

const wholeList = { limit: null, after: null };

describe("a user's tokens", () => {
  let clock: ManualClock;
  let identity: InMemoryIdentity;
  let create: CreateToken;
  let authenticate: Authenticate;
  let list: ListTokens;
  let revoke: RevokeToken;

  beforeEach(() => {
    clock = new ManualClock();
    identity = new InMemoryIdentity();
    const secrets = new CountedTokenSecrets();
    create = new CreateToken(identity.tokens, secrets, clock);
    authenticate = new Authenticate(identity.tokens, secrets, clock);
    list = new ListTokens(identity.tokens);
    revoke = new RevokeToken(identity.tokens);
  });

  async function signedIn(): Promise<Actor> {
    const { user } = await identity.accounts.open(someone());
    const { secret } = await create.run({ userId: user.id, name: 'first', expiresInDays: null });
    return (await authenticate.run(secret))!;
  }

  it('work as soon as they are made, and expire when they were told to', async () => {
    const { userId } = await signedIn();
    const token = await create.run({ userId, name: ' render farm ', expiresInDays: 2 });
    expect(token.name).toBe('render farm');
    clock.advance(2 * 86_400 - 1);
    expect(await authenticate.run(token.secret)).toMatchObject({ userId, tokenId: token.id });
    clock.advance(1);
    expect(await authenticate.run(token.secret)).toBeNull();
  });

  it('are listed without their secrets', async () => {
    const actor = await signedIn();
    const { secret } = await create.run({ userId: actor.userId, name: 'second', expiresInDays: null });
    const { items } = await list.run(actor, wholeList);
    expect(items.map(({ name }) => name)).toEqual(['second', 'first']);
    expect(JSON.stringify(items)).not.toContain(secret);
  });

  it('can be revoked by their owner alone', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    await expect(revoke.run(other, owner.tokenId)).rejects.toMatchObject({ code: 'not_found' });
    await revoke.run(owner, owner.tokenId);
    await expect(revoke.run(owner, owner.tokenId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await list.run(other, wholeList)).items).toHaveLength(1);
  });

  it.each(['', 'x12_', 'Bearer', '🔑', `x12_${'A'.repeat(43)}`])('are never %j', async (text) => {
    expect(await authenticate.run(text)).toBeNull();
  });
});
