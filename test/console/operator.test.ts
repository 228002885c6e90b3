/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { openAsOperator } from './support/operators.ts';
import { expectFocused } from './support/pages.ts';

const TOKEN = 'operators-only-0123456789-abcdefghijk';
const ENV = { ADMIN_TOKEN: TOKEN, FAL_KEY: 'hush-fal', FAL_BASE_URL: 'http://127.0.0.1:1' };

describeConsole(
  'the operator',
  (stage) => {
    const unlock = async (page: Page) => {
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).fill(TOKEN);
      await page.keyboard.press('Enter');
      await page.getByRole('tab', { name: 'Health' }).waitFor();
    };
    const open = async (path = '/operator', width?: Width) =>
      stage.open(path, { as: await stage.service.signUp(), width });

    it('gives the token to the memory of the page alone, and is not signed out by a wrong one', async () => {
      const page = await open();
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).fill('wrong-0123456789-0123456789-0123456789');
      await page.keyboard.press('Enter');
      await page.getByText('This is not the token').waitFor();
      await page.getByText('Request').waitFor();
      await expectPresentable(page, 'operator-lock');
      await unlock(page);
      await page.getByRole('heading', { name: /things? needs? attention/ }).waitFor();
      const places = 'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }])';
      expect(await page.evaluate(places)).not.toContain(TOKEN);
      expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['x12_session']);
      await page.getByRole('link', { name: 'Team' }).click();
      await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
      await page.goBack();
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).waitFor();
    });

    itOnEach('sees by keyboard how everything is, on a %s', async (width) => {
      const found = { objects: 1, strayObjects: 0, files: 2, lostFiles: 1, examples: ['files/lost/a.png'] };
      await stage.service.database.query(
        `update reconciliation set compared_at = now(), result = '${JSON.stringify(found)}'`,
      );
      const page = await open('/operator', width);
      await unlock(page);
      await page.getByRole('heading', { name: /things? needs? attention/ }).waitFor();
      await page.getByText('cannot be reached').first().waitFor();
      await expectPresentable(page, 'operator-health', [width]);
      const parts = {
        Providers: 'fal',
        Models: 'local-image',
        Queues: 'generations',
        Storage: 'files/lost/a.png',
        Users: '@example.com',
        Plans: 'enterprise',
        Settings: 'ADMIN_TOKEN',
      };
      await page.getByRole('tab', { name: 'Health' }).focus();
      for (const [name, text] of Object.entries(parts)) {
        await page.keyboard.press('ArrowRight');
        await page.getByRole('tabpanel').getByText(text).first().waitFor();
        expect(new URL(page.url()).searchParams.get('part')).toBe(name.toLowerCase());
      }
      expect(await page.content()).not.toMatch(/hush|operators-only/);
      await expectAccessible(page, [width]);
    });

    it('finds users, models and settings, in the address', async () => {
      const user = await stage.service.signUp();
      const page = await open('/operator?part=users');
      await unlock(page);
      await page.getByLabel('Find by a part of the e-mail').fill(user.email.slice(0, 12).toUpperCase());
      await page.getByRole('tabpanel').getByRole('row').nth(2).waitFor({ state: 'detached' });
      await page.getByRole('tabpanel').getByText(user.email).waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe(user.email.slice(0, 12).toUpperCase());
      await page.getByLabel('Find by a part of the e-mail').fill('nobody@nowhere');
      await page.getByText('No user has that in their e-mail').waitFor();
      await page.getByRole('button', { name: 'Lock' }).click();
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).waitFor();
    });

    const operators = (page: Page) => page.getByRole('switch', { name: /is an operator$/ });

    itOnEach('makes a user an operator by keyboard, and ends that by mouse, on a %s', async (width) => {
      const user = await stage.service.signUp();
      const page = await open(`/operator?part=users&q=${user.email}`, width);
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).fill(TOKEN);
      await page.keyboard.press('Enter');
      const operates = operators(page);
      await operates.press('Space');
      const question = page.getByRole('dialog', { name: 'Make this user an operator?' });
      await question.getByRole('button', { name: 'Cancel' }).press('Escape');
      await question.waitFor({ state: 'detached' });
      await expectFocused(operates);
      expect(await operates.isChecked()).toBe(false);
      await operates.press('Space');
      await question.getByText(user.email).waitFor();
      await expectPresentable(page, 'operator-appoint', [width]);
      await question.getByRole('button', { name: 'Make operator' }).press('Enter');
      await page.getByText(`${user.email} is an operator now.`).waitFor();
      await operators(page)
        .and(page.getByRole('switch', { checked: true }))
        .waitFor();
      await expectPresentable(page, 'operator-users-switched', [width]);

      await page.getByRole('row', { name: user.email }).locator('label').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take right' }).click();
      await page.getByText(`${user.email} is no operator any more.`).waitFor();
      await operators(page)
        .and(page.getByRole('switch', { checked: false }))
        .waitFor();
    });

    it('takes the own right only after the e-mail is typed, and then leaves the screen', async () => {
      const { page, user } = await openAsOperator(stage, '/operator');
      await page.goto(`/console/operator?part=users&q=${user.email}`);
      await operators(page).press('Space');
      const question = page.getByRole('dialog', { name: 'Take your own right of an operator?' });
      const take = question.getByRole('button', { name: 'Take right' });
      await take.waitFor();
      expect(await take.isDisabled()).toBe(true);
      await question.getByRole('textbox').fill(user.email);
      await expectPresentable(page, 'operator-own-right');
      await take.press('Enter');
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).waitFor();
    });
  },
  ENV,
);
