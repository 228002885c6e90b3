import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { RandomTokenSecrets } from '#adapters/secrets';
import { emailOf } from '#identity';
import { parseMail } from '#testing/adapters/mail';
import { someone } from '#testing/identity';
import { eventually } from '../support/eventually.ts';
import {
  join as joinTeam,
  later,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someInvitation,
  teamStoresOn,
  type TeamStores,
  type TestMember,
} from '../support/team-store.ts';
import { describeConsole, expectAccessible, takeScreenshots } from './support/console.ts';

const secrets = new RandomTokenSecrets();

describeConsole('the team', (stage) => {
  let store: TeamStores;
  beforeAll(() => {
    store = teamStoresOn(stage.service.database.database);
  });

  async function signedIn<T extends TestMember>(user: T) {
    const secret = secrets.create();
    const token = { userId: user.userId, name: 'test', hash: secrets.hash(secret), expiresAt: null };
    await store.tokens.add({ ...token, createdAt: new Date() });
    return { ...user, token: secret };
  }

  async function full() {
    const team = await newTeam(store);
    for (let index = 0; index < 200; index++) {
      const name = NAMES[index % NAMES.length] ?? null;
      const { user } = await store.accounts.open({ ...someone(), name: name && `${name} ${index}` });
      await joinTeam(store, team, { userId: user.id }, index % 20 === 0 ? 'admin' : 'member');
    }
    const now = new Date();
    for (let index = 0; index < 12; index++) {
      const email = emailOf(`${index === 3 ? 'x'.repeat(60) : 'invited'}${index}@example.com`);
      await store.invitations.add(someInvitation(team, { email, createdAt: now, expiresAt: later(7, now) }));
    }
    const asked = await newUser(store);
    const times = { createdAt: now, expiresAt: later(7, now) };
    await store.invitations.add(someInvitation(team, { email: asked.email, userId: asked.userId, ...times }));
    return team;
  }

  /** The token in the mail to this address, once it is there. */
  const tokenFor = (address: string): Promise<string> =>
    eventually(async () => {
      const folder = stage.service.settings.data.mail;
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
      const mails = await Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name)))));
      const mail = mails.find(({ headers }) => headers.to?.includes(address));
      return mail && /^x12_[\w-]{43}$/m.exec(mail.text)?.[0];
    });

  it('invites somebody by keyboard, who accepts by the link of the mail and is given a role', async () => {
    const team = await newTeam(store);
    const page = await stage.open('/team', { as: await signedIn(team.owner) });
    await page.getByText('It is just you so far').waitFor();
    await expectAccessible(page);

    const guest = await stage.service.signUp();
    await page.getByRole('button', { name: 'Invite' }).first().press('Enter');
    await page.keyboard.type(guest.email);
    await page.keyboard.press('Enter');
    await page.getByText(`${guest.email} has an account, and is asked by mail to join.`).waitFor();
    await page.getByRole('row', { name: /Asked to join/ }).waitFor();

    const token = await tokenFor(guest.email);
    const theirs = await stage.open(`/team#token=${token}`, { as: guest });
    await theirs.getByRole('dialog', { name: 'You are invited to a team' }).waitFor();
    expect(theirs.url()).not.toContain(token);
    await expectAccessible(theirs);
    await theirs.keyboard.press('Enter');
    await theirs.getByText(`Welcome to the team of ${team.owner.email}.`).waitFor();
    await theirs.getByText(`You are in the team of ${team.owner.email}`).waitFor();
    await expectAccessible(theirs);

    await page.reload();
    const actions = page.getByRole('button', { name: `Actions for ${guest.email}` });
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Make an admin' }).press('Enter');
    await page.getByText(`${guest.email} is now an admin.`).waitFor();
    expect(await roleOf(team.workspaceId, guest.id)).toBe('admin');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await eventually(async () => (await roleOf(team.workspaceId, guest.id)) === 'member');
  });

  it('looks', async () => {
    const team = await full();
    const page = await stage.open('/team', { as: await signedIn(team.owner) });
    await page.getByRole('row').nth(3).waitFor();
    await expectAccessible(page);
    await takeScreenshots(page, 'team-full');
  }, 60_000);

  const roleOf = async (workspaceId: number, userId: number) => (await rolesIn(store, workspaceId))[userId];
});

const NAMES = [
  'Grace Hopper',
  null,
  'Ångström Ögren',
  'محمد عبد الله الخوارزمي',
  'W'.repeat(251),
  '李清照',
  'O’Neil, J.',
];
