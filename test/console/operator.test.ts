/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { openAsOperator } from './support/operators.ts';
import { chooseItem, expectFocused } from './support/pages.ts';

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
      await page.getByText('Enter the operator token').waitFor();
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
        Workspaces: 'Personal',
        Users: '@example.com',
        Tokens: 'No machine token yet',
        Plans: 'enterprise',
        Settings: 'PUBLIC_URL',
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
      await page.getByRole('dialog').getByRole('button', { name: 'Remove rights' }).click();
      await page.getByText(`${user.email} is no longer an operator.`).waitFor();
      await operators(page)
        .and(page.getByRole('switch', { checked: false }))
        .waitFor();
    });

    const choose = (page: Page, name: string, item: string) =>
      chooseItem(page.getByRole('button', { name: `Actions for ${name}` }), item);
    const statusOf = async (method: string, path: string, token: string) => {
      const { status, body } = await stage.service.call(method, path, {
        token,
        ...(method === 'POST' && { json: {} }),
      });
      return body.code ?? status;
    };

    itOnEach(
      'gives an application a workspace with credits and a token, suspends, resumes and deletes it, on a %s',
      async (width) => {
        const { page } = await openAsOperator(stage, '/operator?part=workspaces', { width });
        const name = `Acme ${width}`;
        await page.getByRole('button', { name: 'New workspace…' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill(name);
        await dialog.getByLabel('External id').fill(`acme-${width}`);
        await expectPresentable(page, 'operator-workspace-new', [width]);
        await dialog.getByRole('button', { name: 'Open workspace' }).click();
        await page.getByText(`${name} is open.`).waitFor();
        await page.getByLabel('Find by the whole external id').fill(`acme-${width}`);
        const row = page.getByRole('row', { name });
        await row.getByText('service account').waitFor();

        await choose(page, name, 'Give credits…');
        await dialog.getByLabel('Credits').fill('700');
        await dialog.getByLabel('Reason').fill('order 4711');
        await dialog.getByRole('button', { name: 'Give credits' }).click();
        await page.getByText(/00 credits are available now/).waitFor();

        await choose(page, name, 'New token…');
        await dialog.getByLabel('Name').fill('app');
        await dialog.getByRole('combobox', { name: 'Scopes' }).press('ArrowDown');
        await page.getByRole('option', { name: 'account' }).click();
        await page.getByRole('option', { name: 'webhooks' }).click();
        await dialog.getByLabel('Name').focus();
        await expectPresentable(page, 'operator-workspace-token', [width]);
        await dialog.getByRole('button', { name: 'Create token' }).click();
        const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
        await expectPresentable(page, 'operator-token-made', [width]);
        await dialog.getByRole('button', { name: 'Done' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(await page.content()).not.toContain(token);
        expect(await statusOf('GET', '/v2/auth/me', token)).toBe(200);
        expect(await statusOf('GET', '/v2/boards', token)).toBe('insufficient_scope');

        await choose(page, name, 'Suspend…');
        await dialog.getByText('can still read everything').waitFor();
        await expectPresentable(page, 'operator-workspace-suspend', [width]);
        await dialog.getByRole('button', { name: 'Suspend' }).click();
        await row.getByText('Suspended').waitFor();
        expect(await statusOf('POST', '/v2/webhooks/secret/rotate', token)).toBe('workspace_suspended');
        await expectPresentable(page, 'operator-workspaces', [width]);
        await choose(page, name, 'Resume…');
        await dialog.getByRole('button', { name: 'Resume' }).click();
        await row.getByText('Suspended').waitFor({ state: 'detached' });
        expect(await statusOf('POST', '/v2/webhooks/secret/rotate', token)).toBe(200);

        await choose(page, name, 'Delete…');
        await dialog.getByRole('textbox').fill(name);
        await expectPresentable(page, 'operator-workspace-delete', [width]);
        await dialog.getByRole('button', { name: 'Delete for good' }).click();
        await page.getByText(`${name} is being deleted.`).waitFor();
      },
    );

    it('opens an account, adds it to a workspace, takes it out, and deletes it', async () => {
      const { body } = await stage.service.call('POST', '/admin/api/workspaces', {
        token: TOKEN,
        json: { name: 'Studio', plan: 'pro' },
      });
      const { id } = body.workspace;
      const { page } = await openAsOperator(stage, '/operator?part=users&q=eve');
      await page.getByText('No user has that in their e-mail').waitFor();
      await page.getByRole('button', { name: 'New user…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('E-mail').fill('eve@example.com');
      await dialog.getByLabel('Name', { exact: true }).fill('Eve');
      await dialog.getByRole('button', { name: 'Open account' }).click();
      const row = page.getByRole('row', { name: 'Eve' });
      await row.getByText('Own workspace').waitFor();

      await choose(page, 'eve@example.com', 'Add to a workspace…');
      await dialog.getByLabel('Number of the workspace').fill('999999');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Number of the workspace').fill(String(id));
      await expectPresentable(page, 'operator-user-add');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await row.getByText(`Team ${id}`).waitFor();
      await choose(page, 'eve@example.com', `Remove from team ${id}…`);
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await row.getByText('Own workspace').waitFor();
      await expectPresentable(page, 'operator-users');

      await choose(page, 'eve@example.com', 'Delete…');
      await dialog.getByRole('textbox').fill('eve@example.com');
      await dialog.getByRole('button', { name: 'Delete for good' }).click();
      await page.getByText('No user has that in their e-mail').waitFor();
    });

    itOnEach('makes a machine token that reads this screen, and revokes it, on a %s', async (width) => {
      const { page } = await openAsOperator(stage, '/operator?part=tokens', { width });
      await page.getByRole('button', { name: 'New token…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(`billing ${width}`);
      await dialog.getByLabel('Days until it expires').fill('30');
      await expectPresentable(page, 'operator-machine-token', [width]);
      await dialog.getByRole('button', { name: 'Create token' }).click();
      const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
      await dialog.getByRole('button', { name: 'Done' }).click();
      expect(await statusOf('GET', '/admin/api/workspaces', token)).toBe(200);
      expect(await statusOf('POST', '/admin/api/users', token)).toBe('insufficient_scope');
      await page.getByRole('row', { name: `billing ${width}` }).waitFor();
      await expectPresentable(page, 'operator-tokens', [width]);
      await choose(page, `billing ${width}`, 'Revoke…');
      await dialog.getByRole('button', { name: 'Revoke token' }).click();
      await page.getByText(`billing ${width} is revoked.`).waitFor();
      expect(await statusOf('GET', '/admin/api/workspaces', token)).toBe('unauthenticated');
    });

    it('gives up the own rights only after the e-mail is typed, and then leaves the screen', async () => {
      const { page, user } = await openAsOperator(stage, '/operator');
      await page.goto(`/console/operator?part=users&q=${user.email}`);
      await operators(page).press('Space');
      const question = page.getByRole('dialog', { name: 'Give up your operator rights?' });
      const giveUp = question.getByRole('button', { name: 'Give up rights' });
      await giveUp.waitFor();
      expect(await giveUp.isDisabled()).toBe(true);
      await question.getByRole('textbox').fill(user.email);
      await expectPresentable(page, 'operator-own-right');
      await giveUp.press('Enter');
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).waitFor();
    });
  },
  ENV,
);
