/** @tier deep, 60 s, about apps/console */
import { afterAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { teamOf } from '../support/team-of.ts';
import { prepared } from '../support/use-service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem } from './support/pages.ts';

const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

describeConsole(
  'developers',
  (stage) => {
    const call = (method: string, path: string, { token }: Pick<TestUser, 'token'>, json?: object) =>
      stage.service.call(method, path, { token, json });
    const newBoard = async (user: Pick<TestUser, 'token'>, name: string): Promise<number> =>
      (await call('POST', '/boards', user, { name })).body.board.id;
    const received = (type: string) =>
      eventually(async () => receiver.calls.find(({ body }) => JSON.parse(body).type === type));
    const endpointsOf = async (user: Pick<TestUser, 'token'>) =>
      (await call('GET', '/v2/webhook_endpoints', user)).body.webhook_endpoints;
    const choose = async (page: Page, item: string) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };

    itOnEach('register an endpoint, test, change and delete it by mouse, on a %s', async (width) => {
      const user = await stage.service.signUp();
      receiver.calls.splice(0);
      const page = await stage.open('/tokens', { as: user, width });
      await page.getByRole('tab', { name: 'Webhooks' }).click();
      await page.getByText('No endpoints yet').waitFor();
      await expectPresentable(page, 'endpoints-empty', [width]);
      await page.getByRole('button', { name: 'New endpoint' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill('http://10.0.0.1/events');
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      await dialog.getByText(/^URL must be at a public host/).waitFor();
      await dialog.getByLabel('URL').fill(`${receiver.url}/events`);
      await dialog.getByLabel('Description').fill('Mirror of boards');
      await dialog.getByRole('combobox', { name: 'Events' }).click();
      await page.getByRole('option', { name: 'Board created' }).click();
      await dialog.getByRole('heading', { name: 'New endpoint' }).click();
      await expectPresentable(page, 'endpoint-form', [width]);
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      const field = dialog.getByRole('textbox', { name: 'Secret of the endpoint' });
      const secret = await field.inputValue();
      await expectPresentable(page, 'endpoint-secret', [width]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await field.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);

      await choose(page, 'Send a test');
      const test = await received('test');
      expect(new Webhook(secret).verify(test.body, test.headers as Record<string, string>)).toMatchObject({
        type: 'test',
      });
      const delivery = page.getByRole('list', { name: 'Calls of the last 30 days' }).getByRole('listitem');
      await delivery.getByText('Accepted with 204').waitFor();
      await delivery
        .getByText(`Event ${String(test.headers['webhook-id']).slice(0, 8)}`)
        .first()
        .waitFor();
      await newBoard(user, 'Summer');
      await received('board.created');
      await page.getByRole('button', { name: 'How to verify events' }).click();
      await page.getByText('verifyEvent').waitFor();
      await expectPresentable(page, 'endpoints', [width]);

      receiver.calls.splice(0);
      await choose(page, 'Send again…');
      await expectPresentable(page, 'endpoint-redeliver', [width]);
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('1 event will be sent again.').waitFor();
      await received('board.created');

      await choose(page, 'Edit…');
      await dialog.getByRole('switch', { name: 'Active' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('table', { name: 'Endpoints' }).getByText('Disabled').waitFor();
      expect(await endpointsOf(user)).toMatchObject([{ active: false, types: ['board.created'] }]);

      await choose(page, 'Delete…');
      await dialog.getByRole('button', { name: 'Delete endpoint' }).click();
      await page.getByText('No endpoints yet').waitFor();
      expect(await endpointsOf(user)).toEqual([]);
    });

    it('replace the secret of an endpoint by keyboard, and see why it fails', async () => {
      const user = await stage.service.signUp();
      const created = await call('POST', '/v2/webhook_endpoints', user, { url: `${receiver.url}/secret` });
      const { id, secret: former } = created.body.webhook_endpoint;
      const page = await stage.open(`/tokens?tab=webhooks&endpoint=${id}`, { as: user });
      await page.getByText('No calls of this endpoint').waitFor();
      const actions = page.getByRole('button', { name: /^Actions for/ });
      await chooseItem(actions, 'New secret…');
      await page.getByText('calls are signed with both secrets for 24 hours').waitFor();
      await expectPresentable(page, 'endpoint-rotate');
      await page.getByRole('button', { name: 'Create secret' }).press('Enter');
      const field = page.getByRole('textbox', { name: 'Secret of the endpoint' });
      const secret = await field.inputValue();
      expect(secret).toMatch(/^whsec_/);
      expect(secret).not.toBe(former);
      await page.keyboard.press('Escape');
      expect(await field.isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Done' }).press('Enter');
      await field.waitFor({ state: 'detached' });

      receiver.calls.splice(0);
      receiver.reply(...Array(20).fill(500));
      await chooseItem(actions, 'Send a test');
      const { body, headers } = await received('test');
      for (const each of [former, secret]) new Webhook(each).verify(body, headers as Record<string, string>);
      await page.getByRole('listitem').getByText('Refused with 500').waitFor();
      await page.getByRole('table', { name: 'Endpoints' }).getByText('Failing').waitFor();
      await expectPresentable(page, 'endpoint-failing');
      receiver.reply();
    });

    describe('and events', () => {
      const team = prepared(() => teamOf(stage.service));
      const row = (page: Page, name: RegExp) => page.getByRole('listitem').getByRole('button', { name });

      itOnEach('appear while the page is open, with their data, on a %s', async (width) => {
        const user = await stage.service.signUp();
        const page = await stage.open('/tokens', { as: user, width });
        await page.getByRole('tab', { name: 'Events' }).click();
        await page.getByText('No events yet').waitFor();
        const first = await newBoard(user, 'first');
        await row(page, new RegExp(`^Board created, Board ${first}$`)).waitFor();
        const second = await newBoard(user, 'second');
        const fox = { model: 'local-image', prompt: 'a fox', width: 64, customer: 'user-17' };
        const { generation_id: generation } = (await call('POST', '/v2/generate', user, fox)).body;
        await row(page, new RegExp(`^Generation done, Generation ${generation}$`)).click();
        await page
          .getByRole('region', { name: /^Data of event/ })
          .getByText('"prompt": "a fox"')
          .waitFor();
        await page.getByRole('listitem').first().getByText('For user-17').waitFor();
        expect(await page.getByRole('listitem').count()).toBe(3);
        await expectPresentable(page, 'events', [width]);
        await page.getByRole('link', { name: `Board ${second}` }).click();
        await page.getByRole('heading', { name: 'second', level: 1 }).waitFor();
        await page.goBack();
        await page.getByRole('link', { name: `Generation ${generation}` }).click();
        await page.waitForURL(/generate\?generation=\d+/);
      });

      it('are filtered by type and subject in the address, also those that are new', async () => {
        const { owner } = team;
        const first = await newBoard(owner, 'first');
        const second = await newBoard(owner, 'second');
        const page = await stage.open(`/tokens?tab=events&subject=board`, { as: owner });
        await page.getByText(/^Subject must be one of/).waitFor();
        await page.getByLabel('Subject').fill(`board:${first}`);
        await page.getByLabel('Subject').press('Enter');
        await row(page, new RegExp(`^Board created, Board ${first}$`)).waitFor();
        expect(await page.getByRole('listitem').count()).toBe(1);
        await page.getByRole('combobox', { name: 'Types' }).click();
        await page.getByRole('option', { name: 'Board deleted' }).click();
        await page.keyboard.press('Escape');
        await page.getByText('No event matches').waitFor();
        await expectPresentable(page, 'events-none');
        await call('DELETE', `/boards/${second}`, owner);
        await call('DELETE', `/boards/${first}`, owner);
        await row(page, new RegExp(`^Board deleted, Board ${first}$`)).waitFor();
        expect(await page.getByRole('listitem').count()).toBe(1);
        expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
          types: 'board.deleted',
          subject: `board:${first}`,
        });
      });

      it('of a long list are all read, from the latest to the oldest', async () => {
        const user = await stage.service.signUp();
        const board = await newBoard(user, 'Summer');
        await stage.service.database.query(`insert into events
          (id, workspace_id, number, type, subject_id, facts, data, created_at)
          select gen_random_uuid(), workspace_id, 1000 + n, 'file.expired', n, '{}', '{}', now()
          from boards, generate_series(1, 120) n where id = ${board}`);
        const page = await stage.open('/tokens?tab=events', { as: user });
        await row(page, /File 120$/).waitFor();
        const end = row(page, new RegExp(`Board ${board}$`));
        await eventually(async () => {
          await page.evaluate('scrollTo(0, document.body.scrollHeight)');
          return (await end.count()) === 1;
        });
      });

      it('about the team are not shown to members', async () => {
        const member = await team.member();
        const board = await newBoard(team.owner, 'ours');
        const page = await stage.open('/tokens?tab=events', { as: member });
        await row(page, new RegExp(`Board ${board}$`)).waitFor();
        expect(await row(page, /^Member joined/).count()).toBe(0);
      });
    });
  },
  { FETCH_ALLOWED_HOSTS: receiver.host },
);
