/** @tier test, 10 s */
import { expect, it } from '@jest/globals';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { describeConsole } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';

const KEY = Buffer.alloc(32, 'k').toString('base64');
const codeAt = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });

describeConsole(
  'two-factor',
  (stage) => {
    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

    it('is set up, asked for at the sign-in, and turned off by a recovery code, by keys alone', async () => {
      const { email, password } = await stage.service.signUp();
      const page = await stage.open('/sign-in?next=/account');
      const signIn = async () => {
        await page.getByLabel('E-mail', { exact: true }).fill(email);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.keyboard.press('Enter');
      };
      await signIn();
      await heading(page, 'Account');
      const section = page.getByRole('region', { name: 'Two-factor' });
      await section.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await section.getByRole('img', { name: 'QR code of the secret below' }).waitFor();
      const secret = await section.getByLabel('Secret').inputValue();
      const code = section.getByLabel('Code of the app');
      await expectFocused(code);
      await expectPresentable(page, 'two-factor-enrolment');
      await page.keyboard.type('12345');
      await page.keyboard.press('Enter');
      await section.getByText(/^Code of the app /).waitFor();
      await code.fill(await codeAt(secret));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' });
      await dialog.getByRole('listitem').nth(9).waitFor();
      const codes = await dialog.getByRole('listitem').allInnerTexts();
      expect(codes).toHaveLength(10);
      await expectPresentable(page, 'two-factor-codes');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'I have kept them' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(codes[0]);
      await section.getByText('On', { exact: true }).waitFor();

      await page.context().clearCookies();
      await page.goto('/console/sign-in?next=/account');
      await signIn();
      await heading(page, 'Enter your code');
      await expectFocused(page.getByLabel('Code'));
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page.getByText('Code is wrong, or was used before.').waitFor();
      await expectPresentable(page, 'two-factor-sign-in');
      await page.getByLabel('Code').fill(await codeAt(secret, 1));
      await page.keyboard.press('Enter');
      await heading(page, 'Account');

      await section.getByRole('button', { name: 'Turn off…' }).press('Enter');
      const question = page.getByRole('dialog', { name: 'Turn two-factor off?' });
      await question.getByLabel('Password', { exact: true }).fill(password);
      await question.getByLabel('Code of the app, or a recovery code').fill(codes[0]!);
      await expectPresentable(page, 'two-factor-off');
      await page.keyboard.press('Enter');
      await page.getByText('Two-factor is off.').waitFor();
      await section.getByText('Off', { exact: true }).waitFor();
    });
  },
  { SECRET_KEY: KEY },
);
