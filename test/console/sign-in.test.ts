/** @tier test, 35 s */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { mailTo } from '../support/mail-to.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { newSignInLink } from './support/sign-in-link.ts';

const FAILURE = { status: false, code: 'internal_error', message: 'something failed', request_id: 'none' };
const PASSWORD = 'three words nobody else would join';

describeConsole('the sign-in', (stage) => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function fill(page: Page, values: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  }

  it('shows the error for a wrong password, and signs in with the right one', async () => {
    const { email, password } = await stage.service.signUp();
    const page = await stage.open('/sign-in');
    await fill(page, { 'E-mail': email, Password: 'something else entirely' });
    await press(page, 'Sign in');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/Request [\w-]{36}/);
    await expectAccessible(page);
    await fill(page, { Password: password });
    await press(page, 'Sign in');
    await heading(page, 'Home');
  });

  it('offers the ways that the service has: single sign-on, and why it failed', async () => {
    const page = await stage.open('/sign-in?next=/boards#error=sso_expired');
    const methods = { status: true, password: false, signup: false, oidc: { name: 'Acme' } };
    await page.route('**/v2/auth/methods', (route) => route.fulfill({ json: methods }));
    await page.reload();
    const start = page.getByRole('button', { name: 'Continue with Acme' });
    await start.waitFor();
    await page.getByRole('alert').filter({ hasText: 'began in another browser' }).waitFor();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0);
    await expectPresentable(page, 'sign-in-sso');
    const began = page.waitForRequest('**/v2/auth/oidc/start');
    await start.press('Enter');
    expect((await began).postDataJSON()).toEqual({ return_to: '/console/boards' });
    const down = page.getByRole('alert').filter({ hasText: 'OIDC_ISSUER' });
    await down.waitFor();
  });

  it('lets in by a token, for accounts without a password', async () => {
    const { token } = await stage.service.signUp();
    const page = await stage.open('/sign-in');
    await press(page, 'Use a token');
    await fill(page, { Token: token });
    await press(page, 'Sign in');
    await heading(page, 'Home');
  });

  it('says that a link does not work a second time, and offers the other ways', async () => {
    const user = await stage.service.signUp();
    const { path } = await newSignInLink(stage.service, user.id);
    await heading(await stage.open(path), 'Home');
    const page = await stage.open(path);
    await heading(page, 'This link does not work');
    expect(await page.getByRole('alert').innerText()).toMatch(/once[^]*Request [\w-]{36}/);
    await expectPresentable(page, 'sign-in-link-used');
    await fill(page, { Token: user.token });
    await press(page, 'Sign in');
    await heading(page, 'Home');
  });

  it('comes when the session has ended meanwhile, whatever is done, and leads back', async () => {
    const page = await stage.open('/boards?q=summer', { as: await stage.service.signUp() });
    await page.getByText('No board is called').waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'New board' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Summer');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sign-in\?next=%2Fboards%3Fq%3Dsummer$/);
  });

  it('opens an account by keys alone, of which the session is the only token', async () => {
    const page = await stage.open('/sign-in');
    await page.getByRole('button', { name: 'Create an account' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name (optional)').focus();
    for (const text of ['Ada', 'ada@example.com', 'short']) {
      await page.keyboard.type(text);
      if (text !== 'short') await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText(/must have 10 to \d+ characters/).waitFor();
    await expectPresentable(page, 'sign-up');
    await fill(page, { Password: PASSWORD });
    await page.keyboard.press('Enter');
    await heading(page, 'Hello, Ada');
    const { tokens } = JSON.parse(await page.evaluate<string>(`fetch('/v2/auth/tokens').then((all) => all.text())`));
    expect(tokens).toHaveLength(1);
  });

  it('takes an invitation from its mail to the team, and the secret nowhere else', async () => {
    const opened = await teamOf(stage.service);
    const admin = await opened.member('admin');
    const invited = { email: 'grace@example.com', role: 'admin' };
    const sent = await stage.service.call('POST', '/v2/team/send_invitation', { token: admin.token, json: invited });
    expect(sent.status).toBe(201);
    const link = /http\S+#token=[\w-]+/.exec((await mailTo(stage.service, invited.email)).text)![0];
    expect(link).toContain(`${stage.service.baseUrl}/console/invitation#token=`);
    const secret = link.slice(link.indexOf('=') + 1);

    const page = await stage.open(new URL(link).pathname.replace('/console', '') + new URL(link).hash);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await heading(page, 'You are invited to a team');
    expect(page.url()).toBe(`${stage.service.baseUrl}/console/invitation`);
    const details = page.getByRole('definition');
    const expectDetails = async () => {
      await details.first().waitFor();
      const [inviter, team, role] = await details.allInnerTexts();
      expect(inviter).toContain(admin.email);
      expect(team).toContain(opened.owner.email);
      expect(role).toMatch(/^Admin/);
    };
    await expectDetails();
    await expectPresentable(page, 'invitation-before-sign-in');
    await fill(page, { 'Name (optional)': 'Grace', 'E-mail': invited.email, Password: PASSWORD });
    await press(page, 'Create account');
    await page.getByText(`You are signed in as ${invited.email}.`).waitFor();
    await expectDetails();
    await expectPresentable(page, 'invitation-read');
    await press(page, 'Accept');
    await heading(page, 'Hello, Grace');
    await page.getByText('Admin · enterprise').waitFor();

    await page.goBack();
    expect(page.url()).not.toContain(secret);
    expect(asked.filter((request) => request.includes(secret))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(secret);
  });

  it.each(['invitation', 'reset-password', 'confirm-email'])(
    'asks for the link where the page %s is opened without it',
    async (path) => {
      const page = await stage.open(`/${path}`);
      await heading(page, 'Open the link in your mail');
      await expectAccessible(page);
    },
  );

  it('offers no buttons before the invitation is read, says why it cannot be, and reads it again when asked', async () => {
    const page = await stage.open('', { as: await stage.service.signUp() });
    const accept = page.getByRole('button', { name: 'Accept' });
    const arrived = Promise.withResolvers<void>();
    let isDown = true;
    await page.route('**/v2/team/read_invitation', async (route) => {
      await arrived.promise;
      return isDown ? route.fulfill({ status: 500, json: FAILURE }) : route.continue();
    });
    await page.goto(`/console/invitation#token=x12_${'A'.repeat(43)}`);
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
    expect(await accept.count()).toBe(0);
    arrived.resolve();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await accept.count()).toBe(0);
    isDown = false;
    await again.click();
    await heading(page, 'This invitation is not valid');
    await page.getByRole('alert').getByText('Ask the team for a new one').waitFor();
    expect([await accept.count(), await again.count()]).toEqual([0, 0]);
    await expectPresentable(page, 'invitation-invalid');
    await press(page, 'Sign in as someone else');
    await page.getByRole('button', { name: 'Create account' }).waitFor();
  });
});
