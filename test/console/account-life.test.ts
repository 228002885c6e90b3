import { afterAll, expect, it, jest } from '@jest/globals';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { mailTo } from '../support/mail-to.ts';
import { describeConsole, expectAccessible, takeScreenshots } from './support/console.ts';
import { newIssuer } from './support/issuer.ts';

const NAME = 'Example Inc.';
const [email, password, changed] = ['grace@example.com', 'difference engine 1', 'analytical engine 2'] as const;

// The issuer says that its keys and its memory are not for production.
for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
const { issuer, env } = await newIssuer(NAME);
afterAll(() => issuer.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}

describeConsole(
  'the life of an account',
  (stage) => {
    let shots = 0;
    /** One picture of the film, of an accessible page. */
    async function shoot(page: Page, name: string): Promise<void> {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessible(page, ['desk']);
      await takeScreenshots(page, `life-${String(++shots).padStart(2, '0')}-${name}`);
    }
    const openMail = async (page: Page, path: string) => {
      const link = /http\S+#token=[\w-]+/.exec((await mailTo(stage.service, email, `${path}#token=`)).text)![0];
      await page.goto(link);
    };
    async function signIn(page: Page, secret: string): Promise<void> {
      await page.goto('/console/sign-in?next=/account');
      await fill(page, { 'E-mail': email, Password: secret });
      await press(page, 'Sign in');
    }
    async function signOut(page: Page): Promise<void> {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Welcome back');
    }

    it('from the sign-up to the deletion, by mouse', async () => {
      const page = await stage.open('/sign-in');
      await press(page, 'Create an account');
      await fill(page, { 'Name (optional)': 'Grace', 'E-mail': email, Password: password });
      await shoot(page, 'sign-up');
      await press(page, 'Create account');
      await page.getByText('Your e-mail address is not confirmed yet.').waitFor();
      await shoot(page, 'unconfirmed');
      await openMail(page, '/confirm-email');
      await heading(page, 'Confirm your address');
      await press(page, 'Confirm the address');
      await heading(page, 'Your address is confirmed');
      await shoot(page, 'confirmed');
      await page.goto('/console/account');
      await heading(page, 'Account');
      await signOut(page);

      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await heading(page, 'Forgot your password?');
      await fill(page, { 'E-mail': email });
      await press(page, 'Mail me a link');
      await heading(page, 'Open the link in your mail');
      await openMail(page, '/reset-password');
      await fill(page, { 'New password': changed });
      await press(page, 'Save the password');
      await heading(page, 'Your password is changed');
      await shoot(page, 'password-reset');
      await signIn(page, changed);
      await heading(page, 'Account');

      const twoFactor = section(page, 'Two-factor');
      await twoFactor.getByLabel('Password', { exact: true }).fill(changed);
      await press(page, 'Set up two-factor');
      const secret = await twoFactor.getByLabel('Secret').inputValue();
      const codeAt = (steps: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
      await shoot(page, 'two-factor');
      await twoFactor.getByLabel('Code of the app').fill(await codeAt(0));
      await twoFactor.getByLabel('Code of the app').press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' });
      await dialog.getByRole('listitem').nth(9).waitFor();
      const [recoveryCode] = await dialog.getByRole('listitem').allInnerTexts();
      await shoot(page, 'recovery-codes');
      await dialog.getByRole('button', { name: 'I have kept them' }).click();
      await dialog.waitFor({ state: 'detached' });

      for (const code of [await codeAt(1), recoveryCode!]) {
        await signOut(page);
        await signIn(page, changed);
        await heading(page, 'Enter your code');
        await shoot(page, 'code');
        await page.getByLabel('Code').fill(code);
        await page.getByLabel('Code').press('Enter');
        await heading(page, 'Account');
      }

      issuer.people.set('grace', { email, email_verified: true, name: 'Grace' });
      issuer.signsIn = 'grace';
      const methods = section(page, 'Sign-in methods');
      await methods.getByLabel('Present password').fill(changed);
      await press(page, `Link ${NAME}`);
      await methods
        .getByText(/^Unlink/)
        .first()
        .waitFor();
      await shoot(page, 'linked');
      const elsewhere = await stage.open('/sign-in');
      await press(elsewhere, `Continue with ${NAME}`);
      await heading(elsewhere, 'Hello, Grace');
      await shoot(elsewhere, 'signed-in-by-the-company');

      await page.reload();
      await press(page, 'Sign out everywhere else');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Sign out/ })
        .click();
      await elsewhere.waitForTimeout(500);
      await elsewhere.reload();
      await heading(elsewhere, 'Welcome back');
      await shoot(elsewhere, 'signed-out-elsewhere');

      const exported = section(page, 'Export your data');
      await exported.getByRole('button', { name: 'Export my data' }).click();
      await exported.getByRole('link', { name: 'Download the zip' }).waitFor();
      await shoot(page, 'export');

      await press(page, 'Delete account…');
      await fill(page, { 'Your e-mail, typed again': email });
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(changed);
      await shoot(page, 'delete');
      await press(page, 'Delete for good');
      await page.getByRole('status').getByText('Your account is deleted').waitFor();
      await shoot(page, 'deleted');
      await signIn(page, changed);
      await page.getByText('the e-mail or the password is wrong', { exact: false }).waitFor();
      expect(shots).toBe(14);
    });
  },
  { ...env, EMAIL_VERIFICATION: 'required' },
);
