import { beforeEach, describe, expect, it } from '@jest/globals';
import { directUnitOfWork, ManualClock } from '#testing/kernel';
import { CountedTokenSecrets, InMemoryIdentity, PlainPasswords } from '../testing/index.ts';
import { Authenticate } from './authenticate.ts';
import { CreateToken } from './create-token.ts';
import { LogIn } from './log-in.ts';
import { OpenAccount, type Newcomer } from './open-account.ts';
import { SignUp } from './sign-up.ts';

const ada = { email: 'Ada@Example.com', password: 'analytical engine', name: ' Ada ' };

describe('signing up', () => {
  let clock: ManualClock;
  let newcomers: Newcomer[];
  let signUp: SignUp;
  let logIn: LogIn;
  let authenticate: Authenticate;

  beforeEach(() => open({ signUpEnabled: true, tokenDays: 90 }));

  function open(rules: { signUpEnabled: boolean; tokenDays: number | null }) {
    clock = new ManualClock();
    newcomers = [];
    const { accounts, tokens } = new InMemoryIdentity();
    const secrets = new CountedTokenSecrets();
    const passwords = new PlainPasswords();
    const welcome = async (newcomer: Newcomer) => void newcomers.push(newcomer);
    const openAccount = new OpenAccount(accounts, [welcome, welcome], directUnitOfWork, clock);
    const createToken = new CreateToken(tokens, secrets, clock);
    signUp = new SignUp(openAccount, createToken, passwords, directUnitOfWork, rules);
    logIn = new LogIn(accounts, passwords, createToken, rules);
    authenticate = new Authenticate(tokens, secrets, clock);
  }

  it('makes a user whose token works, in a workspace of their own on the free plan', async () => {
    const { user, token } = await signUp.run(ada);
    expect(user).toEqual({ id: user.id, email: 'ada@example.com', name: 'Ada' });
    expect(await authenticate.run(token.secret)).toMatchObject({
      userId: user.id,
      role: 'owner',
      plan: 'free',
      isTeam: false,
      tokenId: token.id,
    });
  });

  it('tells every room that waits for newcomers, with the new workspace', async () => {
    const { user, token } = await signUp.run(ada);
    const workspaceId = (await authenticate.run(token.secret))!.workspaceId;
    expect(newcomers).toEqual([
      { userId: user.id, workspaceId },
      { userId: user.id, workspaceId },
    ]);
  });

  it('needs no name', async () => {
    const { user } = await signUp.run({ ...ada, name: null });
    expect(user.name).toBeNull();
  });

  it('is refused when the e-mail is taken, in whatever case it is written', async () => {
    await signUp.run(ada);
    const again = signUp.run({ ...ada, email: 'ADA@example.com' });
    await expect(again).rejects.toMatchObject({ code: 'user_exists' });
  });

  it.each([
    [{ email: 'ada' }, 'email'],
    [{ password: 'too short' }, 'password'],
    [{ name: '   ' }, 'name'],
  ])('is refused with %j, and makes nobody', async (wrong, field) => {
    const refused = signUp.run({ ...ada, ...wrong });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_failed',
      fields: { [field]: [expect.any(String)] },
    });
    expect(newcomers).toEqual([]);
  });

  it('can be switched off', async () => {
    open({ signUpEnabled: false, tokenDays: 90 });
    await expect(signUp.run(ada)).rejects.toMatchObject({ code: 'forbidden' });
    expect(newcomers).toEqual([]);
  });

  it('and logging in give tokens that last as long as the operator decided', async () => {
    const { token } = await signUp.run(ada);
    const { token: another } = await logIn.run(ada);
    clock.advance(90 * 86_400 - 1);
    expect(await authenticate.run(token.secret)).not.toBeNull();
    expect(await authenticate.run(another.secret)).not.toBeNull();
    clock.advance(1);
    expect(await authenticate.run(token.secret)).toBeNull();
    expect(await authenticate.run(another.secret)).toBeNull();
  });

  it('gives a token without end when the operator decided so', async () => {
    open({ signUpEnabled: true, tokenDays: null });
    expect((await signUp.run(ada)).token.expiresAt).toBeNull();
  });

  it('lets the user log in, with the e-mail in whatever case', async () => {
    const { user } = await signUp.run(ada);
    const session = await logIn.run({ email: 'ada@EXAMPLE.com', password: ada.password });
    expect(session.user).toEqual(user);
    expect(await authenticate.run(session.token.secret)).toMatchObject({ userId: user.id });
  });

  it('leaves no difference between a wrong password and an unknown e-mail', async () => {
    await signUp.run(ada);
    const refusals = await Promise.allSettled([
      logIn.run({ email: ada.email, password: 'difference engine' }),
      logIn.run({ email: 'bob@example.com', password: ada.password }),
    ]);
    const [wrong, unknown] = refusals.map((refusal) => (refusal as PromiseRejectedResult).reason as unknown);
    expect(wrong).toMatchObject({ code: 'unauthenticated' });
    expect(unknown).toEqual(wrong);
  });
});

describe('an account without a password', () => {
  it('can not be logged in to', async () => {
    const { accounts, tokens } = new InMemoryIdentity();
    const clock = new ManualClock();
    const createToken = new CreateToken(tokens, new CountedTokenSecrets(), clock);
    const openAccount = new OpenAccount(accounts, [], directUnitOfWork, clock);
    await openAccount.run({ email: ada.email, name: null, passwordHash: null });
    const rules = { signUpEnabled: true, tokenDays: null };
    const logIn = new LogIn(accounts, new PlainPasswords(), createToken, rules);
    for (const password of ['', 'null', 'plain:']) {
      await expect(logIn.run({ email: ada.email, password })).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    }
  });
});
