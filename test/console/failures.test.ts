/** @tier deep, 60 s, about apps/console */
import { beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { teamOf } from '../support/team-of.ts';
import { describeConsole } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem } from './support/pages.ts';
import { generate } from './support/generations.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const OPERATOR = 'operators-only-0123456789-abcdefghijk';
const REQUEST = 'req-of-the-failure';
const MESSAGE = 'something went wrong on our side; try again';
const FAILURE = { status: 500, json: { status: false, code: 'internal_error', message: MESSAGE, request_id: REQUEST } };

/**
 * Contents of each screen once the service responds, and the number of its parts that fail, each with a notice (default 1).
 * The home reads again by itself: its notices come and go.
 */
const SCREENS: readonly (readonly [path: string, shows: (page: Page) => Locator, parts?: number])[] = [
  ['/generate', (page) => page.getByLabel('Prompt', { exact: true })],
  ['/generate?failed=true', (page) => page.getByText('Nothing has failed')],
  ['/library', (page) => page.getByText('Nothing here yet')],
  ['/personas', (page) => page.getByRole('list').getByRole('link').first()],
  ['/personas/$persona', (page) => page.getByRole('tab', { name: /Likes/ })],
  ['/personas/$persona?tab=files', (page) => page.getByText('No files')],
  ['/boards', (page) => page.getByRole('link', { name: /Ideas/ })],
  ['/boards/$board', (page) => page.getByRole('heading', { name: 'Ideas' })],
  ['/uploads', (page) => page.getByText(/^Temporary files of/)],
  ['/team', (page) => page.getByRole('tab', { name: 'Members' })],
  ['/usage', (page) => page.getByText(/Nothing was used/)],
  ['/tokens', (page) => page.getByRole('table', { name: 'API tokens' })],
  ['/account', (page) => page.getByText('This session'), 2],
  ['/tokens?tab=webhooks', (page) => page.getByText('No calls yet'), 2],
  ['/trash', (page) => page.getByText('The trash is empty')],
  ['/audit', (page) => page.getByText('signed in with an API token').first()],
];

describeConsole(
  'when the service fails',
  (stage) => {
    let page: Page;
    const me = prepared(async () => (await teamOf(stage.service)).owner);
    let ids: Readonly<Record<string, number>>;
    /** Fault of the page's requests; none when absent. */
    let fault: ((route: Route) => Promise<void>) | undefined;

    const fail = (route: Route) => route.fulfill(FAILURE);
    /** The session stays known: else there is no screen. */
    const isOfScreen = ({ pathname }: URL) => !/^\/(console|storage|v2\/auth\/me)/.test(pathname);
    const notices = () => page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });

    beforeAll(async () => {
      const call = bodiesFor(stage, me);
      const { board } = await call('POST', '/boards', { name: 'Ideas' });
      const { persona } = await call('POST', '/v2/personas', { name: 'Ada' });
      ids = { board: board.id, persona: persona.id };
      page = await stage.open('/', { as: me });
      await page.route(isOfScreen, (route) => (fault ? fault(route) : route.fallback()));
    });

    async function expectFailure(): Promise<void> {
      await notices().first().waitFor();
      const said = await notices().first().innerText();
      expect(said.toLowerCase()).toContain(MESSAGE);
      expect(said).toContain(REQUEST);
    }

    it.each(SCREENS)('%s says what failed, and goes on at "Try again"', async (path, shows, parts = 1) => {
      fault = fail;
      await page.goto(`/console${path.replace(/\$(\w+)/, (_, name: string) => String(ids[name]))}`);
      await expectFailure();
      await notices()
        .nth(parts - 1)
        .waitFor();
      fault = undefined;
      // From the last on: a notice goes when its part is there.
      for (let part = parts - 1; part >= 0; part--) await notices().nth(part).getByRole('button').click();
      await shows(page).waitFor();
    });

    it('"Try again" starts a failed generation with the same input', async () => {
      await page.goto('/console/generate');
      // The lists above it are read again by themselves, and may fail too.
      const notice = page.getByRole('form', { name: 'Generate' }).getByRole('alert');
      // A dry run that fails says so in the same place, while a start may be under way.
      const priced = page.waitForResponse((response) => !!response.request().postData()?.includes('a fox'));
      await page.getByLabel('Prompt', { exact: true }).fill('a fox');
      await priced;
      await page.getByText('4 credits', { exact: true }).waitFor();
      for (const [fails, says] of [
        [fail, MESSAGE],
        [(route: Route) => route.abort('connectionrefused'), 'The service can’t be reached'],
      ] as const) {
        fault = fails;
        await page.getByLabel('Prompt', { exact: true }).press('Control+Enter');
        await notice.getByText(new RegExp(says, 'i')).waitFor();
        expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('a fox');
      }
      await expectPresentable(page, 'failure-generate-down');
      fault = undefined;
      await notice.getByRole('button', { name: 'Try again' }).press('Enter');
      await page.getByRole('article').waitFor();
      await notice.waitFor({ state: 'detached' });
    });

    it('forms keep their input', async () => {
      await page.goto('/console/operator');
      fault = fail;
      await page.getByLabel('ADMIN_TOKEN', { exact: true }).fill(OPERATOR);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText(REQUEST).waitFor();
      expect(await page.getByLabel('ADMIN_TOKEN', { exact: true }).inputValue()).toBe(OPERATOR);
      fault = undefined;
      await page.getByRole('button', { name: 'Continue' }).press('Enter');
      await page.getByRole('tab', { name: 'Plans' }).waitFor();
      fault = fail;
      await page.getByRole('tab', { name: 'Plans' }).click();
      await expectFailure();

      await page.goto('/console/boards');
      await page.getByRole('button', { name: 'New board' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('Autumn');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText(REQUEST).waitFor();
      expect(await dialog.getByRole('textbox').inputValue()).toBe('Autumn');
    });

    it('dialogs show that they are loading', async () => {
      const fox = await generate(stage.service, me, { prompt: 'a fox' });
      const dialog = page.getByRole('dialog');
      const loading = dialog.getByText('Loading').or(dialog.getByLabel('Searching…'));
      const expectLoading = async (open: () => Promise<unknown>, held = /./) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        fault = (route) => (held.test(route.request().url()) ? promise.then(() => route.fallback()) : route.fallback());
        await open();
        await loading.first().waitFor();
        fault = undefined;
        resolve();
        await loading.first().waitFor({ state: 'detached' });
      };
      await expectLoading(() => page.goto(`/console/generate?generation=999999999`), /generations\/\d/);
      for (const name of ['To board', 'To slot…']) {
        await page.goto(`/console/generate?generation=${fox.id}`);
        const action = dialog.getByRole('button', { name, exact: true });
        await action.waitFor();
        await expectLoading(() => action.press('Enter'));
      }
      await page.goto(`/console/personas/${ids.persona}?tab=likes`);
      const addLikes = page.getByRole('button', { name: 'Add likes' });
      await addLikes.waitFor();
      await expectLoading(() => chooseItem(addLikes, 'From stored pictures…'));
      for (const name of ['Boards', 'Personas']) await expectLoading(() => page.getByRole('tab', { name }).click());
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await dialog.getByRole('textbox').waitFor();
      // A screen has this word in its name too, and is listed at once.
      await expectLoading(() => dialog.getByRole('textbox').fill('per'));
    });

    it('who signs in, or opens an invitation, sees it too', async () => {
      const entrance = await stage.open('/sign-in');
      await entrance.route(/\/v2\/auth\//, fail);
      await entrance.getByLabel('E-mail').fill('ada@studio.example');
      await entrance.getByLabel('Password', { exact: true }).fill('three words for this');
      await entrance.keyboard.press('Enter');
      await entrance.getByRole('alert').getByText(REQUEST).waitFor();
      expect(await entrance.getByLabel('E-mail').inputValue()).toBe('ada@studio.example');
      await entrance.goto('/console/invitation#token=abc');
      await entrance.getByRole('alert').getByText(REQUEST).waitFor();
      await entrance.getByRole('button', { name: 'Try again' }).waitFor();
    });
  },
  { ADMIN_TOKEN: OPERATOR },
);
