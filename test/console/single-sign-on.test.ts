/** @tier deep, 30 s, about apps/console */
import { afterAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { mailTo } from '../support/mail-to.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { newIssuer } from './support/issuer.ts';

const NAME = 'Example Inc.';

// The issuer says that its keys and its memory are not for production.
for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
const [withPasswords, without] = [await newIssuer(NAME), await newIssuer(NAME)];

afterAll(() => Promise.all([withPasswords, without].map(({ issuer }) => issuer.stop())));

let count = 0;

/** Somebody whom the issuer knows, and who signs in there next. */
function person({ issuer } = withPasswords, email = `person-${++count}@example.com`): string {
  const sub = `subject of ${email}`;
  issuer.people.set(sub, { email, email_verified: true, name: 'Grace' });
  issuer.signsIn = sub;
  return email;
}

/** Ends the browser's session at the issuer, which otherwise signs in the same person again. */
const forgetPerson = (page: Page) => page.context().clearCookies({ name: /^_session/ });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const unlinkName = /^Unlink ?, 127/;

describeConsole(
  'single sign-on',
  (stage) => {
    itOnEach('links an identity with the password, signs in by it, and unlinks it, on a %s', async (width) => {
      const user = await stage.service.signUp();
      const page = await stage.open('/account', { as: user, width });
      const methods = page.getByRole('region', { name: 'Sign-in methods' });
      await methods.getByText('Is set').waitFor();
      const link = button(page, `Link ${NAME}`);
      await methods.getByLabel('Present password').fill('something else entirely');
      await link.click();
      await methods.getByText('Present password is wrong.').waitFor();
      await expectAccessible(page);
      await methods.getByLabel('Present password').fill(user.password);
      const email = person();
      await link.click();
      await methods.getByText(email).waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/account');
      await expectPresentable(page, `sign-in-methods-${width}`);

      const other = await stage.open('/sign-in', { width });
      await button(other, `Continue with ${NAME}`).click();
      await heading(other, 'Home');
      const me = JSON.parse(await other.evaluate<string>(`fetch('/v2/auth/me').then((all) => all.text())`));
      expect(me.user.email).toBe(user.email);

      await page.getByRole('button', { name: unlinkName }).click();
      const dialog = page.getByRole('dialog', { name: 'Unlink this sign-in?' });
      await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
      await methods.getByText(email).waitFor({ state: 'detached' });
      await dialog.waitFor({ state: 'detached' });
    });

    it('links and unlinks by keys alone, and says why the last way in stays', async () => {
      const email = person();
      const page = await stage.open('/sign-in?next=/account');
      await button(page, `Continue with ${NAME}`).press('Enter');
      await heading(page, 'Account');
      const methods = page.getByRole('region', { name: 'Sign-in methods' });
      await methods.getByText('Is not set').waitFor();
      await methods.getByText(email).waitFor();

      const second = person();
      await forgetPerson(page);
      await button(page, `Link ${NAME}`).press('Enter');
      await methods.getByText(second).waitFor();
      const unlink = page.getByRole('button', { name: unlinkName });
      const dialog = page.getByRole('dialog', { name: 'Unlink this sign-in?' });
      await unlink.first().press('Enter');
      await expectFocused(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await methods.getByText(email).waitFor({ state: 'detached' });

      await unlink.press('Enter');
      await expectFocused(dialog.getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const reason = dialog.getByRole('alert');
      await reason.waitFor();
      expect(await reason.innerText()).toMatch(/last way in to your account: set a password first/i);
      await expectPresentable(page, 'unlink-last');
      await page.keyboard.press('Escape');
      await methods.getByText(second).waitFor();
    });

    it('says why an identity was not linked', async () => {
      const taken = person();
      const first = await stage.open('/sign-in');
      await button(first, `Continue with ${NAME}`).click();
      await heading(first, 'Hello, Grace');
      const user = await stage.service.signUp();
      const page = await stage.open('/account', { as: user });
      await page.getByRole('region', { name: 'Sign-in methods' }).getByLabel('Present password').fill(user.password);
      await button(page, `Link ${NAME}`).click();
      await page.getByRole('alert').filter({ hasText: 'It is linked to another account.' }).waitFor();
      expect(await page.getByText(taken).count()).toBe(0);
      await expectAccessible(page);
    });
  },
  withPasswords.env,
);

describeConsole(
  'the page of an invitation where passwords are off',
  (stage) => {
    itOnEach('leads by single sign-on to the team, and the secret nowhere, on a %s', async (width) => {
      const admin = await (await teamOf(stage.service)).member('admin');
      const email = person(without);
      const sent = await stage.service.call('POST', '/v2/team/send_invitation', {
        token: admin.token,
        json: { email },
      });
      expect(sent.status).toBe(201);
      const link = /http\S+#token=[\w-]+/.exec((await mailTo(stage.service, email)).text)![0];
      const secret = link.slice(link.indexOf('=') + 1);

      const page = await stage.open(link.slice(`${stage.service.baseUrl}/console`.length), { width });
      const urls: string[] = [];
      page.on('request', (request) => urls.push(`${request.url()} ${JSON.stringify(request.headers())}`));
      await heading(page, 'You are invited to a team');
      const start = button(page, `Continue with ${NAME}`);
      await start.waitFor();
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
      await expectPresentable(page, `invitation-sso-${width}`);
      await start.press('Enter');
      await page.getByText(`You are signed in as ${email}.`).waitFor();
      expect(page.url()).toBe(`${stage.service.baseUrl}/console/invitation`);
      await button(page, 'Accept').click();
      await heading(page, 'Hello, Grace');
      const { role } = JSON.parse(await page.evaluate<string>(`fetch('/v2/auth/me').then((all) => all.text())`));
      expect(role).toBe('member');

      expect(urls.filter((request) => request.replace(/#.*? /, ' ').includes(secret))).toEqual([]);
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(secret);
      await page.goBack();
      expect(page.url()).not.toContain(secret);
    });
  },
  { ...without.env, PASSWORD_LOGIN: 'false' },
);
