import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeConsole, expectAccessible, itOnEach, takeScreenshots, type Width } from './support/console.ts';

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
      await expectAccessible(page);
      await takeScreenshots(page, 'operator-lock');
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
      await page.getByText('can not be reached').first().waitFor();
      await expectAccessible(page, [width]);
      await takeScreenshots(page, 'operator-health');
      const parts = {
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
        await takeScreenshots(page, `operator-${name.toLowerCase()}`);
      }
      expect(await page.content()).not.toMatch(/hush|operators-only/);
      await expectAccessible(page, [width]);
    });

    it('finds users, models and settings, in the address', async () => {
      const user = await stage.service.signUp();
      const page = await open('/operator?part=users');
      await unlock(page);
      await page.getByLabel('Find by a part of the e-mail').fill(user.email.slice(0, 12).toUpperCase());
      await expect(
        page.getByRole('tabpanel').getByRole('row').nth(2).waitFor({ state: 'detached' }),
      ).resolves.toBeUndefined();
      await page.getByRole('tabpanel').getByText(user.email).waitFor();
      expect(new URL(page.url()).searchParams.get('q')).toBe(user.email.slice(0, 12).toUpperCase());
      await page.getByLabel('Find by a part of the e-mail').fill('nobody@nowhere');
      await page.getByText('No user has that in their e-mail').waitFor();
      await page.getByRole('button', { name: 'Lock' }).click();
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).waitFor();
    });
  },
  ENV,
);
