/** @tier deep, 90 s, about apps/console */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { tokenIn } from '#testing/mail';
import { eventually } from '../support/eventually.ts';
import { CONFIRMATION, mailTo } from '../support/mail-to.ts';
import type { TestUser } from '../support/service.ts';
import { newUser, teamStoresOn } from '../support/team-store.ts';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { chooseFiles, filesOnDisk, png } from './support/files.ts';
import { newSignInLink } from './support/sign-in-link.ts';

const NEW = 'a new difference engine';

describeConsole('the account', (stage) => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const linkTo = async (email: string, part = '') => {
    const mail = await mailTo(stage.service, email, part);
    const link = /http\S+#token=[\w-]+/.exec(mail.text)![0];
    expect(link).toContain(tokenIn(mail));
    return link.slice(`${stage.service.baseUrl}/console`.length);
  };

  async function fill(page: Page, values: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  }

  /** The account in a session that does not end with another one. */
  async function openByPassword({ email, password }: TestUser, width?: Width): Promise<Page> {
    const page = await stage.open('/sign-in?next=/account', { width });
    await fill(page, { 'E-mail': email, Password: password });
    await page.keyboard.press('Enter');
    await heading(page, 'Account');
    return page;
  }

  itOnEach('chooses which entries of the inbox are mailed, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const page = await stage.open('/account', { as: user, width });
    const batches = page.getByRole('combobox', { name: 'My batches have ended' });
    expect(await batches.inputValue()).toBe('Never');
    await batches.press('Enter');
    await page.getByRole('option', { name: 'Once a day' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const { settings } = (await stage.service.call('GET', '/v2/inbox/settings', { token: user.token })).body;
    expect(settings).toMatchObject({ batch: 'digest', mention: 'immediate' });
    await batches.scrollIntoViewIfNeeded();
    await expectPresentable(page, 'mails', [width]);
    await page.reload();
    expect(await batches.inputValue()).toBe('Once a day');
  });

  it('gets a new password by mail, by keys alone, and its secret stays in memory', async () => {
    const { email } = await stage.service.signUp();
    const page = await stage.open('/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter');
    await heading(page, 'Forgot your password?');
    await expectPresentable(page, 'forgot-password');
    await expectFocused(page.getByLabel('E-mail'));
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await heading(page, 'Open the link in your mail');
    await expectPresentable(page, 'forgot-password-sent');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    const path = await linkTo(email);
    const secret = path.slice(path.indexOf('=') + 1);
    await page.goto(`/console${path}`);
    await expectFocused(page.getByLabel('New password', { exact: true }));
    expect(page.url()).toBe(`${stage.service.baseUrl}/console/reset-password`);
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.getByText(/^New password must have .*10/).waitFor();
    await expectFocused(page.getByLabel('New password', { exact: true }));
    await expectPresentable(page, 'reset-password');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Enter');
    await heading(page, 'Your password is changed');
    expect(asked.filter((request) => request.includes(secret))).toEqual([]);
    await fill(page, { 'E-mail': email, Password: NEW });
    await page.keyboard.press('Enter');
    await heading(page, 'Home');

    await page.goto(`/console${path}`);
    await fill(page, { 'New password': NEW });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('it was used').waitFor();
    expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe(NEW);
    await expectAccessible(page);
  });

  it('keeps its name and picture, shows them everywhere, and loses neither by a wrong value', async () => {
    const user = await stage.service.signUp();
    const page = await stage.open('/', { as: user });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await heading(page, 'Account');
    await expectPresentable(page, 'account');
    await fill(page, { Name: 'Ada Lovelace' });
    await press(page, 'Save name');
    await page.getByText('Your name is saved.').waitFor();
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    await fill(page, { Name: 'W'.repeat(101) });
    await press(page, 'Save name');
    await page.getByText(/^Name must have at most 100 characters/).waitFor();
    await expectFocused(page.getByLabel('Name', { exact: true }));

    const folder = await filesOnDisk({ 'me.png': await png('teal'), 'me.txt': 'no picture' });
    const choose = (button: string, file: string) => chooseFiles(page, press(page, button), join(folder, file));
    await choose('Upload a picture', 'me.png');
    const picture = page.getByRole('img', { name: 'Your picture' });
    await picture.waitFor();
    await choose('Replace picture', 'me.txt');
    await page.getByRole('main').getByText('Filename must end in').first().waitFor();
    expect(await picture.getAttribute('src')).toMatch(/me\.png$/);
    await expectPresentable(page, 'account-picture');
    await press(page, 'Remove picture');
    await page.getByText('Your picture is removed.').waitFor();
    await page.getByRole('button', { name: 'Upload a picture' }).waitFor();
  });

  it('changes its password with the present one, and keeps only this session', async () => {
    const user = await stage.service.signUp();
    const elsewhere = await stage.open('', { as: user });
    const page = await openByPassword(user);
    const password = page.getByRole('region', { name: 'Password' });
    const fields = { present: password.getByLabel('Present password'), next: password.getByLabel('New password') };
    await fields.present.fill('something else');
    await fields.next.fill(NEW);
    await page.keyboard.press('Enter');
    await page.getByText('Present password is wrong.').waitFor();
    await expectFocused(fields.present);
    expect(await fields.next.inputValue()).toBe(NEW);
    await expectPresentable(page, 'account-password');
    await fields.present.fill(user.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is saved. All other sessions are signed out.').waitFor();
    await eventually(async () => (await fields.present.inputValue()) + (await fields.next.inputValue()) === '');
    await elsewhere.reload();
    await fill(elsewhere, { 'E-mail': user.email, Password: NEW });
    await elsewhere.keyboard.press('Enter');
    await heading(elsewhere, 'Home');
  });

  it('sets its first password in a new session, and is asked for a new session in an old one', async () => {
    const user = await stage.service.signUp();
    await stage.service.database.query(`update users set password_hash = null where id = ${user.id}`);
    const page = await stage.open((await newSignInLink(stage.service, user.id)).path);
    await heading(page, 'Home');
    const openedAt = (time: string) =>
      stage.service.database.query(`update api_tokens set created_at = ${time} where user_id = ${user.id}`);
    await openedAt(`now() - interval '1 hour'`);
    await page.goto('/console/account');
    const password = page.getByRole('region', { name: 'Password' });
    await password.getByRole('link', { name: 'Set a password by mail' }).waitFor();
    await password.getByLabel('New password').fill(NEW);
    await page.keyboard.press('Enter');
    await password
      .getByRole('alert')
      .getByText(/^Sign in again/)
      .waitFor();
    expect(await password.getByLabel('New password').inputValue()).toBe(NEW);
    await expectPresentable(page, 'account-no-password');
    await openedAt('now()');
    await password.getByLabel('New password').press('Enter');
    await password.getByLabel('Present password').waitFor();
  });

  it('changes its e-mail when the new address is confirmed', async () => {
    const user = await stage.service.signUp();
    const email = `new-${user.email}`;
    const page = await stage.open('/account', { as: user });
    const section = page.getByRole('region', { name: 'E-mail' });
    await section.getByRole('button', { name: 'Mail the link again' }).click();
    await page.getByText(`A new link is on its way to ${user.email}.`).waitFor();
    await section.getByLabel('New e-mail').fill(email);
    await section.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await section.getByText(`Open the link in the mail to ${email}`).waitFor();
    await section.getByText(user.email, { exact: true }).waitFor();
    await expectPresentable(page, 'account-email');
    await page.goto(`/console${await linkTo(email, CONFIRMATION)}`);
    await press(page, 'Confirm the address');
    await page.getByText(`${email} is the address of your account.`).waitFor();
    await press(page, 'Continue');
    await heading(page, 'Home');
    await page.goto('/console/account');
    await section.getByText(email, { exact: true }).waitFor();
    await section.getByText('Confirmed').waitFor();
  });

  itOnEach('lists its sessions, and ends one of them, all others and this one, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const elsewhere = await stage.open('', { as: user, width });
    await stage.open('', { as: user, width });
    const page = await openByPassword(user, width);
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.filter({ hasText: /Chrome.*This session/ }).waitFor();
    await rows.filter({ hasText: 'Program or unknown browser' }).waitFor();
    // The row of titles counts, too.
    expect(await rows.count()).toBe(5);
    await expectPresentable(page, 'account-sessions', [width]);
    await rows.nth(2).getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByText('The session is signed out.').waitFor();
    await rows.nth(4).waitFor({ state: 'detached' });
    await press(page, 'Sign out everywhere else');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).press('Enter');
    await page.getByText('All other sessions are signed out.').waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    await elsewhere.reload();
    await elsewhere.getByLabel('E-mail').waitFor();
    await rows.nth(1).getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Enter');
    await heading(page, 'Welcome back');
  });

  itOnEach('is deleted by keys alone, after the address is typed again, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const page = await stage.open('/account', { as: user, width });
    await page.getByRole('button', { name: 'Delete account…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' });
    await dialog.getByText('You are signed out everywhere').waitFor();
    await dialog.getByLabel('Your e-mail, typed again').fill('other@example.com');
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not the e-mail of this account.').waitFor();
    await expectFocused(dialog.getByLabel('Your e-mail, typed again'));
    await expectPresentable(page, 'account-delete', [width]);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(user.email);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Your account is deleted').waitFor();
    await expectPresentable(page, 'account-deleted', [width]);
    await fill(page, { 'E-mail': user.email, Password: user.password });
    await page.keyboard.press('Enter');
    await page.getByText('the e-mail or the password is wrong', { exact: false }).waitFor();
  });

  it('is not deleted for the owner of a team with others, who is led to the team', async () => {
    const store = teamStoresOn(stage.service.database.database);
    const user = await stage.service.signUp();
    const workspaceId = await store.teams.open({ ownerUserId: user.id, plan: 'enterprise', openedAt: new Date() });
    const { userId } = await newUser(store);
    await store.teams.join({ workspaceId, userId, role: 'member', addedBy: user.id, joinedAt: new Date() });
    const page = await stage.open('/account', { as: user });
    await press(page, 'Delete account…');
    await fill(page, { 'Your e-mail, typed again': user.email });
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(user.password);
    await press(page, 'Delete for good');
    await page.getByRole('alert').getByText('transfer the ownership').waitFor();
    await expectPresentable(page, 'account-delete-owner');
    await page.getByRole('link', { name: 'Go to your team' }).click();
    await heading(page, 'Team');
  });

  it('confirms its address only when the button is pressed', async () => {
    const user = await stage.service.signUp();
    const isConfirmed = async () => {
      const { body } = await stage.service.call('GET', '/v2/auth/me', { token: user.token });
      return body.user.email_verified as boolean;
    };
    const path = await linkTo(user.email, CONFIRMATION);
    const page = await stage.open(path);
    await heading(page, 'Confirm your address');
    expect([await isConfirmed(), page.url().includes('#')]).toEqual([false, false]);
    await expectPresentable(page, 'confirm-email');
    await press(page, 'Confirm the address');
    await heading(page, 'Your address is confirmed');
    await page.getByText(user.email).waitFor();
    expect(await isConfirmed()).toBe(true);
    await page.goto(`/console${path}`);
    await press(page, 'Confirm the address');
    await page.getByRole('alert').getByText('This link is not valid: it was used').waitFor();
    await expectPresentable(page, 'confirm-email-used');
  });
});

describeConsole(
  'an account whose address has to be confirmed',
  (stage) => {
    it('is led to its confirmation by what it is refused, and then refused no more', async () => {
      const user = await stage.service.signUp();
      const page = await stage.open('/', { as: user });
      await page.getByRole('heading', { name: 'Confirm your e-mail address first' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await expectPresentable(page, 'unverified-home');
      await page.goto('/console/boards');
      await page.getByText('Your e-mail address is not confirmed yet.').waitFor();
      await page.getByRole('heading', { name: 'Boards', level: 1 }).waitFor();
      await expectPresentable(page, 'unverified');
      await page.getByRole('link', { name: 'Confirm the address' }).press('Enter');
      await page.getByRole('button', { name: 'Mail the link again' }).press('Enter');
      await page.getByText('A new link is on its way').waitFor();
      await stage.service.database.query(`update users set email_verified_at = now() where id = ${user.id}`);
      await page.goto('/console/boards');
      await page.getByText('No boards yet').waitFor();
      expect(await page.getByText('Your e-mail address is not confirmed yet.').count()).toBe(0);
    });
  },
  { EMAIL_VERIFICATION: 'required' },
);
