import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seedDemo } from '../../apps/service/src/demo.module.ts';
import { mailTo } from '../support/mail-to.ts';
import { describeConsole, expectAccessible, takeScreenshots } from './support/console.ts';
import { newSignInLink } from './support/sign-in-link.ts';

const PASSWORD = 'three words nobody else would join';

describeConsole('the sign-in', (stage) => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function fill(page: Page, values: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  }

  it('says what the service says of a wrong password, and lets in by the right one', async () => {
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

  it('lets in by a token, for accounts without a password', async () => {
    const { token } = await stage.service.signUp();
    const page = await stage.open('/sign-in');
    await press(page, 'Use a token');
    await fill(page, { Token: token });
    await press(page, 'Sign in');
    await heading(page, 'Home');
  });

  it('takes two clicks, and no key, from the printed link to the first picture', async () => {
    const { users } = await seedDemo(stage.service.settings);
    const { secret, path } = await newSignInLink(stage.service, users.owner.id);
    const page = await stage.open('');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(`/console${path}`);
    await heading(page, 'Hello, Demo owner');
    await takeScreenshots(page, 'home-by-link');
    let clicks = 0;
    const click = async (locator: Locator) => {
      clicks += 1;
      await locator.click();
    };
    await click(page.getByRole('link', { name: 'Generate something' }));
    await heading(page, 'Generate');
    await page.getByText('4 credits', { exact: true }).waitFor();
    await takeScreenshots(page, 'generate-first');
    await click(page.getByRole('button', { name: 'Generate', exact: true }));
    await page.getByRole('article').locator('img').waitFor();
    expect(clicks).toBe(2);
    expect(asked.filter((request) => request.includes(secret))).toEqual([]);
    expect(page.url()).not.toContain(secret);
  });

  it('says that a link does not work a second time, and offers the other ways', async () => {
    const user = await stage.service.signUp();
    const { path } = await newSignInLink(stage.service, user.id);
    await heading(await stage.open(path), 'Home');
    const page = await stage.open(path);
    await heading(page, 'This link does not work');
    expect(await page.getByRole('alert').innerText()).toMatch(/once[^]*Request [\w-]{36}/);
    await expectAccessible(page);
    await takeScreenshots(page, 'sign-in-link-used');
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

  it('goes nowhere but into the console afterwards', async () => {
    const { email, password } = await stage.service.signUp();
    const page = await stage.open('/sign-in?next=//elsewhere.example/');
    await fill(page, { 'E-mail': email, Password: password });
    await press(page, 'Sign in');
    await heading(page, 'Home');
    expect(new URL(page.url()).origin).toBe(stage.service.baseUrl);
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
    await page
      .getByText(/must have at least 10 characters|10/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await takeScreenshots(page, 'sign-up');
    await fill(page, { Password: PASSWORD });
    await page.keyboard.press('Enter');
    await heading(page, 'Hello, Ada');
    const { tokens } = JSON.parse(await page.evaluate<string>(`fetch('/v2/auth/tokens').then((all) => all.text())`));
    expect(tokens).toHaveLength(1);
  });

  it('takes an invitation from its mail to the team, and the secret nowhere else', async () => {
    const owner = await stage.service.signUp();
    const { body } = await stage.service.call('GET', '/v2/auth/me', { token: owner.token });
    await makeTeam(body.workspace.id);
    const invited = { email: 'grace@example.com', role: 'admin' };
    const sent = await stage.service.call('POST', '/v2/team/send_invitation', { token: owner.token, json: invited });
    expect(sent.status).toBe(201);
    const link = /http\S+#token=[\w-]+/.exec((await mailTo(stage.service, invited.email)).text)![0];
    expect(link).toContain(`${stage.service.baseUrl}/console/invitation#token=`);
    const secret = link.slice(link.indexOf('=') + 1);

    const page = await stage.open(new URL(link).pathname.replace('/console', '') + new URL(link).hash);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await heading(page, 'You are invited to a team');
    expect(page.url()).toBe(`${stage.service.baseUrl}/console/invitation`);
    await takeScreenshots(page, 'invitation');
    await fill(page, { 'Name (optional)': 'Grace', 'E-mail': invited.email, Password: PASSWORD });
    await press(page, 'Create account');
    await page.getByText(`You are signed in as ${invited.email}.`).waitFor();
    await expectAccessible(page);
    await press(page, 'Accept');
    await heading(page, 'Hello, Grace');
    await page.getByText('Admin · enterprise').waitFor();

    await page.goBack();
    expect(page.url()).not.toContain(secret);
    expect(asked.filter((request) => request.includes(secret))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(secret);
  });

  it('asks for the link when the page of an invitation is opened without it', async () => {
    const page = await stage.open('/invitation');
    await heading(page, 'Open the link in your mail');
    await expectAccessible(page);
  });

  async function makeTeam(workspaceId: number): Promise<void> {
    const { database } = stage.service;
    await database.query(`update workspaces set kind = 'team', plan = 'enterprise' where id = $1`, [workspaceId]);
    await database.query(`update memberships set is_team = true where workspace_id = $1`, [workspaceId]);
  }
});
