import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { X12 } from '#client';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { startAllModels } from './support/all-models.ts';
import {
  chooseItem,
  describeConsole,
  expectAccessible,
  expectFocused,
  expectModel,
  isInSight,
  itOnEach,
  takeScreenshots,
} from './support/console.ts';
import { png } from './support/files.ts';
import { generate } from './support/generations.ts';

const models = await startAllModels();
afterAll(() => models.close());

const journey = (stage: Parameters<Parameters<typeof describeConsole>[1]>[0]) => {
  const clientOf = ({ token }: TestUser) => new X12({ baseUrl: stage.service.baseUrl, token });

  const keptBy = (page: Page) => page.evaluate<string>('JSON.stringify(sessionStorage)');

  async function stored(me: TestUser, filename: string, colour: string): Promise<string> {
    const bytes = new Uint8Array(await png(colour));
    return (await clientOf(me).upload(bytes, { filename })).url;
  }

  const form = (page: Page) => page.getByRole('form', { name: 'Generate' });
  const cost = (page: Page, text: string) => form(page).getByText(text, { exact: true }).waitFor();

  async function chooseModel(page: Page, search: string): Promise<void> {
    await page.getByRole('button', { name: /^Model:/ }).press('Enter');
    await page.getByPlaceholder('Search models').waitFor();
    await page.keyboard.type(search);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  itOnEach('generates by keyboard, follows it live, and does with outputs what people want, on a %s', async (width) => {
    const me = await stage.service.signUp();
    const page = await stage.open('/generate', { as: me, width });
    await page.getByText('Nothing here yet').waitFor();
    await chooseModel(page, 'painter');
    await page.getByLabel('Prompt').press('Control+a');
    await page.keyboard.press('a');
    await page.getByLabel('Width', { exact: true }).pressSequentially('256');
    await page.getByLabel('Height', { exact: true }).pressSequentially('192');
    await cost(page, '4 credits');
    await page.getByRole('radio', { name: '1', exact: true }).press('ArrowRight');
    await cost(page, '8 credits');
    await page.getByLabel('Prompt').press('Control+Enter');
    await page.getByRole('article', { name: 'Painter: a' }).waitFor();
    await page.getByRole('button', { name: 'Open a (2)' }).waitFor({ timeout: 60_000 });
    await expectAccessible(page, [width]);

    await chooseItem(page.getByRole('button', { name: 'Actions for a (1)' }), 'Put on a board');
    await page.getByLabel('Name of the board').pressSequentially('Ideas');
    await page.keyboard.press('Enter');
    await page.getByText('Put on “Ideas”').waitFor();
    const { body } = await stage.service.call('GET', '/boards', { token: me.token });
    expect(body.boards).toMatchObject([{ name: 'Ideas', media_count: 1 }]);

    await page.getByRole('button', { name: 'Variation' }).press('Enter');
    await page.getByText('Variation started for 8 credits').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByRole('button', { name: 'Use again' }).last().press('Enter');
    await eventually(() => new URL(page.url()).search.startsWith('?from='));
  });

  it('shows refusals at their fields, and uploads a missing picture', async () => {
    const page = await stage.open('/generate?model=local-video', { as: await stage.service.signUp() });
    await form(page).getByText('Not complete yet').waitFor();
    await page.getByRole('textbox', { name: 'FPS' }).fill('99');
    await page.getByText('must be an integer from 12 to 30').waitFor();
    await page.getByRole('textbox', { name: 'FPS' }).fill('');
    expect(await page.getByText('is required by the model').count()).toBe(0);
    await form(page).getByRole('button', { name: 'Generate' }).press('Enter');
    await page.getByText('is required by the model').waitFor();
    const file = { name: 'room.png', mimeType: 'image/png', buffer: await png('#557') };
    await page.locator('input[type=file][aria-label="Start frame"]').setInputFiles(file);
    await page.getByRole('button', { name: /^Start frame: room.png/ }).waitFor();
    await cost(page, '20 credits');
    expect(await page.getByText('is required by the model').count()).toBe(0);
    await expectAccessible(page);
  });

  it('starts one generation for a double click, and another one a moment later', async () => {
    const me = await stage.service.signUp();
    const page = await stage.open('/generate', { as: me });
    await page.getByLabel('Prompt').fill('a fox');
    await cost(page, '4 credits');
    const generations = async () =>
      (await stage.service.call('GET', '/v2/generations', { token: me.token })).body.generations as { cost: number }[];
    const button = form(page).getByRole('button', { name: 'Generate' });
    await button.dblclick();
    await page.getByRole('article').waitFor();
    await page.waitForTimeout(1000);
    expect(await generations()).toMatchObject([{ cost: 4 }]);
    await button.click();
    await eventually(async () => (await generations()).length === 2);
  });

  it('shows started generations and their progress on a phone', async () => {
    const page = await stage.open('/generate', { as: await stage.service.signUp(), width: 'phone' });
    await page.getByLabel('Prompt').fill('a fox');
    await cost(page, '4 credits');
    await stage.service.stopWorker();
    try {
      await form(page).getByRole('button', { name: 'Generate' }).tap();
      const progress = page.getByRole('article').getByRole('progressbar');
      await eventually(() => isInSight(progress));
    } finally {
      await stage.service.startWorker();
    }
    const output = page.getByRole('button', { name: 'Open a fox' });
    await output.waitFor();
    expect(await isInSight(output)).toBe(true);
    await takeScreenshots(page, 'generate-done');
  });

  it('knows the cost again soon after the service is back', async () => {
    const page = await stage.open('/generate', { as: await stage.service.signUp() });
    await cost(page, '4 credits');
    await page.route('**/v2/generate', (route) => route.abort('connectionrefused'));
    await page.getByLabel('Prompt').fill('a fox');
    await page.getByText('Cost unknown').waitFor();
    await page.unroute('**/v2/generate');
    await form(page).getByText('4 credits', { exact: true }).waitFor({ timeout: 10_000 });
    expect(await page.getByText('The service can’t be reached').count()).toBe(0);
  });

  it('keeps a draft over a reload, until it is accepted or started over', async () => {
    const me = await stage.service.signUp();
    const page = await stage.open('/generate?model=local-video', { as: me });
    const prompt = page.getByLabel('Prompt');
    await prompt.fill('a fox');
    await page.getByRole('textbox', { name: 'FPS' }).fill('20');
    const file = { name: 'room.png', mimeType: 'image/png', buffer: await png('#557') };
    await page.locator('input[type=file][aria-label="Start frame"]').setInputFiles(file);
    const picture = page.getByRole('button', { name: /^Start frame: .*room.png/ });
    await picture.waitFor();
    await prompt.fill('a fox in a room');
    await page.reload();
    await picture.waitFor();
    expect(await prompt.inputValue()).toBe('a fox in a room');
    expect(await page.getByRole('textbox', { name: 'FPS' }).inputValue()).toBe('20');

    await page.getByRole('button', { name: 'Start over' }).press('Enter');
    await page.getByText('The form is empty again').waitFor();
    await expectFocused(prompt);
    expect(await prompt.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await picture.waitFor();
    await takeScreenshots(page, 'generate-draft');
    await cost(page, '20 credits');
    await prompt.press('Control+Enter');
    await page.getByRole('article').waitFor();
    await eventually(async () => !(await keptBy(page)).includes('a fox'));
    expect(await prompt.inputValue()).toBe('a fox in a room');
    await page.goto('/console/generate');
    await page.getByRole('button', { name: /^Model:/ }).waitFor();
    expect(await prompt.inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'FPS' }).inputValue()).toBe('24');
  });

  it('shows how the service uses each slot of a persona', async () => {
    const me = await stage.service.signUp();
    const { token } = me;
    const pid = (await stage.service.call('GET', '/v2/personas', { token })).body.personas[0].id as number;
    for (const [slot, colour] of [
      [1, '#a33'],
      [3, '#3a3'],
      [7, '#33a'],
    ] as const) {
      const json = { slot, photo: await stored(me, `slot-${slot}.png`, colour) };
      await stage.service.call('POST', `/v2/personas/${pid}/trains`, { token, json });
    }
    const page = await stage.open(`/generate?model=interior&pid=${pid}`, { as: me });
    const slots = page.getByRole('list', { name: 'What becomes of the slots' });
    await slots.waitFor();
    const shown = async () =>
      (await slots.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n').at(-1));
    // The pictures are there before the service has said what becomes of them.
    await slots.getByText('Image', { exact: true }).waitFor();
    expect(await shown()).toEqual(['Style', 'Empty', 'Ref. 1', 'Empty', 'Empty', 'Empty', 'Image']);
    await page.getByText('From persona').nth(2).waitFor();
    const precise = page.getByRole('textbox', { name: 'Precise' });
    await precise.fill('500');
    await page.getByText('must be an integer from 1 to 100').waitFor();
    expect(await shown()).toEqual(['Style', 'Empty', 'Ref. 1', 'Empty', 'Empty', 'Empty', 'Image']);
    expect(await page.getByText('From persona').count()).toBe(3);
    await precise.fill('50');
    await page.getByText('must be an integer from 1 to 100').waitFor({ state: 'detached' });
    await chooseModel(page, 'camera');
    await eventually(async () => (await shown()).at(-1) === 'Start');
    await chooseItem(page.getByRole('button', { name: /^Style: slot-1/ }), 'Leave out');
    await eventually(async () => (await shown())[0] === 'Unused');
    await chooseItem(page.getByRole('button', { name: /^Start frame:/ }), 'Choose a stored picture…');
    // A tile that is removed and drawn again loses the focus.
    await page.evaluate(`new MutationObserver((changes) => {
      globalThis.hasLostTiles ||= changes.some(({ removedNodes }) =>
        [...removedNodes].some((node) => node.matches?.('[data-index]') || node.querySelector?.('[data-index]')));
    }).observe(document.body, { subtree: true, childList: true })`);
    await page.getByRole('tab', { name: 'Personas' }).click();
    const tile = (name: string) => page.getByRole('button', { name, exact: true });
    const topOf = async (name: string) => (await tile(name).boundingBox())!.y;
    await eventually(async () => (await topOf('slot-3.png')) === (await topOf('slot-7.png')));
    expect(await page.evaluate('globalThis.hasLostTiles ?? false')).toBe(false);
    await tile('slot-3.png').press('Enter');
    await page.getByRole('button', { name: /^Start frame: slot-3.png/ }).waitFor();
  });

  it('shows outputs of every kind, and why there is none', async () => {
    const me = await stage.service.signUp();
    const image = await stored(me, 'room.png', '#557');
    for (const model of ['vector', '3dgen', 'segment', 'video']) {
      await generate(stage.service, me, { model, image, prompt: model });
    }
    models.fal.plan(['moderates']);
    await generate(stage.service, me, { model: 'vector', image, prompt: 'refused' });
    const page = await stage.open('/generate', { as: me });
    await page.getByText('The provider does not allow this content').waitFor();
    await page.getByRole('button', { name: 'Open vector' }).waitFor();
    await page.locator('video[aria-label=video]').waitFor();
    await page.getByRole('button', { name: 'Open 3dgen' }).press('Enter');
    await expectModel(page);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
  });

  it('leads to the sign-in when the session was ended meanwhile', async () => {
    const me = await stage.service.signUp();
    const page = await stage.open('/generate', { as: me });
    await cost(page, '4 credits');
    await page.context().request.delete('/v2/auth/session', { headers: { origin: stage.service.baseUrl } });
    await form(page).getByRole('button', { name: 'Generate' }).press('Enter');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
};

describeConsole('the screen to generate', journey, models.env);
