/** @tier deep, 41 s, about apps/console */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestUser } from '../support/service.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { prepared } from '../support/use-service.ts';

const SECRET = /^x12_[A-Za-z0-9_-]{43}$/;

describeConsole('tokens', (stage) => {
  const call = (method: string, path: string, { token }: Pick<TestUser, 'token'>, json?: object) =>
    stage.service.call(method, path, { token, json });
  const stored = (page: Page) =>
    page.evaluate<string>('JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state])');

  itOnEach('are made and revoked by keyboard; their secret is shown once, on a %s', async (width) => {
    const page = await stage.open('/tokens', { as: await stage.service.signUp(), width });
    await page.getByText('No API tokens yet').waitFor();
    await page.getByRole('button', { name: 'New token' }).first().press('Enter');
    await page.getByRole('button', { name: 'Create token' }).press('Enter');
    await page.getByText('Give the token a name.').waitFor();
    await page.keyboard.type('Render farm');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Token', exact: true });
    const secret = await field.inputValue();
    expect(secret).toMatch(SECRET);
    expect((await call('GET', '/v2/auth/me', { token: secret })).status).toBe(200);
    expect(await stored(page)).not.toContain(secret);
    await expectPresentable(page, 'tokens-created', [width]);
    await page.keyboard.press('Escape');
    expect(await field.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await field.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Revoke Render farm' }).press('Enter');
    await page.getByText('Programs that use this token are refused').waitFor();
    await page.getByRole('button', { name: 'Revoke token' }).press('Enter');
    await page.getByRole('button', { name: 'Revoke Render farm' }).waitFor({ state: 'detached' });
    expect((await call('GET', '/v2/auth/me', { token: secret })).status).toBe(401);
  });

  const makeByMouse = async (page: Page, name: string, grant: string) => {
    await page.getByRole('button', { name: 'New token' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('radio', { name: grant }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue();
    const example = (await page.getByText('curl').textContent())!;
    await page.getByRole('button', { name: 'Done' }).click();
    return { token, example };
  };

  itOnEach('are limited by one click, and start with a call that they may make, on a %s', async (width) => {
    const page = await stage.open('/tokens', { as: await stage.service.signUp(), width });
    await page.getByText('No API tokens yet').waitFor();
    const reader = await makeByMouse(page, 'Reader', 'Only read');
    const maker = await makeByMouse(page, 'Maker', 'Generate and upload');
    for (const { token, example } of [reader, maker]) {
      const [, path] = /curl \S+?(\/v2\/\S+)/.exec(example)!;
      expect((await call('GET', path!, { token })).status).toBe(200);
    }
    expect((await call('GET', '/boards', reader)).status).toBe(200);
    expect((await call('POST', '/v2/upload', reader, { filename: 'a.png' })).body.code).toBe('insufficient_scope');
    expect((await call('POST', '/v2/upload', maker, { filename: 'a.png' })).status).toBe(201);
    expect((await call('GET', '/boards', maker)).body.code).toBe('insufficient_scope');
    const rows = page.getByRole('table', { name: 'API tokens' }).getByRole('row');
    await rows.filter({ hasText: 'Maker' }).getByText('Generate, Upload').waitFor();
    await rows.filter({ hasText: 'Reader' }).getByText('No budget').waitFor();
  });

  itOnEach('get scopes, a customer and a budget by keyboard, and show what is spent of it, on a %s', async (width) => {
    const page = await stage.open('/tokens?create=true', { as: await stage.service.signUp(), width });
    await page.getByLabel('Name').press('Tab');
    await page.getByRole('radio', { name: 'Everything' }).press('ArrowUp');
    await expectFocused(page.getByRole('radio', { name: 'Choose…' }));
    await page.getByRole('button', { name: 'Create token' }).press('Enter');
    await page.getByText('Tick at least one.').waitFor();
    await page.getByText('Give the token a name.').waitFor();
    await expectPresentable(page, 'tokens-form-wrong', [width]);
    await page.getByLabel('Name').fill('Limited');
    await page.getByRole('radio', { name: 'Choose…' }).press('Tab');
    await expectFocused(page.getByRole('checkbox', { name: 'Read' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const budget = page.getByRole('textbox', { name: 'Budget' });
    await budget.fill('1000000001');
    await budget.press('Enter');
    await page.getByText(/^Budget must be .* 1,?000,?000,?000\.$/).waitFor();
    await budget.fill('1000');
    await page.getByRole('textbox', { name: 'Customer' }).fill('user-17');
    await expectPresentable(page, 'tokens-form', [width]);
    await budget.press('Enter');
    const token = await page.getByRole('textbox', { name: 'Token', exact: true }).inputValue();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText('0 of 1,000 credits').waitFor();
    await page.getByText('For user-17').waitFor();
    const fox = { model: 'local-image', prompt: 'a fox', width: 64 };
    expect((await call('POST', '/v2/generate', { token }, fox)).body.customer).toBe('user-17');
    await page.reload();
    await page.getByText(/^[1-9] of 1,000 credits$/).waitFor();
    await expectPresentable(page, 'tokens-budget', [width]);
  });

  describe('and webhooks', () => {
    const user = prepared(() => stage.service.signUp());
    let generations: number[];
    beforeAll(async () => {
      const generate = async () => {
        const { body } = await call('POST', '/v2/generate', user, { model: 'local-image', prompt: 'a fox', width: 64 });
        return body.generation_id as number;
      };
      generations = [await generate(), await generate()];
    });

    /** 60 calls: delivered, waiting until tomorrow, and failed. */
    async function fillDeliveries() {
      const attempt = (status: number | null, error: string | null) => ({
        at: new Date(),
        status,
        error,
        durationMs: 84,
      });
      const refused = attempt(500, 'status_not_2xx');
      const kinds = {
        delivered: [attempt(204, null)],
        pending: [refused, refused],
        failed: [refused, attempt(null, 'url_timeout'), attempt(410, 'status_not_2xx')],
      };
      for (const [state, attempts] of Object.entries(kinds)) {
        await stage.service.database.query(`insert into webhook_deliveries
          (workspace_id, generation_id, url, message_id, state, attempts, next_attempt_at, created_at)
          select workspace_id, id, 'https://receiver.invalid/hooks/${'x'.repeat(240)}?n=' || n, 'msg_${state}' || n,
            '${state}', '${JSON.stringify(attempts)}', ${state === 'pending' ? `now() + interval '1 day'` : 'null'}, now()
          from generations, generate_series(1, 20) n where id = ${generations[0]}`);
      }
    }

    it('show their calls, send one again, and show and replace the secret', async () => {
      const page = await stage.open('/tokens?tab=webhooks', { as: user });
      await page.getByText('No calls yet').waitFor();
      await page.getByRole('button', { name: 'How to verify calls' }).press('Enter');
      await page.getByText('verifyWebhook').waitFor();
      await expectPresentable(page, 'webhooks-empty');
      await fillDeliveries();
      await page.reload();
      const first = page.getByRole('listitem').first();
      await first.getByRole('button', { expanded: false }).press('Enter');
      await first.getByText('No response in time').waitFor();
      expect(page.url()).toMatch(/call=\d+/);
      await expectPresentable(page, 'webhooks-full');
      await first.getByRole('button', { name: /^Send again/ }).press('Enter');
      await first.getByText('Waiting').waitFor();
      await first.getByText('The address cannot be reached').first().waitFor();

      await page.getByRole('button', { name: 'Show the secret' }).press('Enter');
      const field = page.getByRole('textbox', { name: 'Signing secret' });
      const secret = await field.inputValue();
      expect(secret).toMatch(/^whsec_/);
      expect(await stored(page)).not.toContain(secret);
      await page.getByRole('button', { name: 'Replace…' }).press('Enter');
      await page.getByRole('button', { name: 'Replace secret' }).press('Enter');
      await page.getByText('Calls are signed with the previous one too for 24 hours').waitFor();
      expect(await field.inputValue()).toMatch(/^whsec_/);
      expect(await field.inputValue()).not.toBe(secret);
      await page.getByRole('button', { name: 'Hide' }).press('Enter');
      await field.waitFor({ state: 'detached' });
    });

    it('are filtered by generation in the address', async () => {
      const page = await stage.open(`/tokens?tab=webhooks&generation=${generations[1]}`, { as: user });
      await page.getByText(`Generation ${generations[1]} has no calls`).waitFor();
      await page.getByRole('textbox', { name: 'Generation' }).fill(String(generations[0]));
      await page.getByRole('listitem').first().waitFor();
      expect(new URL(page.url()).searchParams.get('generation')).toBe(String(generations[0]));
    });

    it('are not for members', async () => {
      const { member } = await teamOf(stage.service);
      const page = await stage.open('/tokens?tab=webhooks', { as: await member() });
      await page.getByText('Webhooks are for admins and the owner').waitFor();
      expect(await page.getByRole('button', { name: 'Show the secret' }).count()).toBe(0);
      await expectPresentable(page, 'webhooks-member');
    });
  });
});
