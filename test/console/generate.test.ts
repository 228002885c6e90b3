/** @tier deep, 140 s, about apps/console */
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { X12 } from '#client';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { startAllModels } from './support/all-models.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { chooseItem, expectFocused, expectModel, isInSight, openComposer } from './support/pages.ts';
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

  const tiles = (page: Page) => page.getByRole('listbox', { name: 'Pictures' }).getByRole('option');
  itOnEach(
    'generates by keyboard and follows it live; the outputs take first place in the grid, on a %s',
    async (width) => {
      const me = await stage.service.signUp();
      const page = await stage.open('/generate', { as: me, width });
      await page.getByText('Nothing here yet').waitFor();
      await expectPresentable(page, 'generate-empty', [width]);
      await openComposer(page);
      await chooseModel(page, 'painter');
      await page.getByLabel('Prompt', { exact: true }).press('Control+a');
      await page.keyboard.press('a');
      await page.getByLabel('Width', { exact: true }).pressSequentially('256');
      await page.getByLabel('Height', { exact: true }).pressSequentially('192');
      await cost(page, '4 credits');
      await page.getByRole('combobox', { name: 'Count' }).press('ArrowDown');
      await page.getByRole('option', { name: '×2' }).click();
      await cost(page, '8 credits');
      await expectPresentable(page, 'generate-open', [width]);
      await stage.service.stopWorker();
      await page.getByLabel('Prompt', { exact: true }).press('Control+Enter');
      const tile = page.getByRole('article', { name: 'Painter: a' });
      await eventually(() => isInSight(tile.getByRole('progressbar')));
      await expectPresentable(page, 'generate-running', [width]);
      // The next prompt is typed meanwhile.
      await page.getByLabel('Prompt', { exact: true }).fill('a fox');
      await stage.service.startWorker();
      await tiles(page).nth(1).waitFor();
      await page.getByRole('article').waitFor({ state: 'detached' });
      expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('a fox');
      await page.keyboard.press('Escape');
      await expectPresentable(page, 'generate-done', [width]);

      await page.getByRole('listbox', { name: 'Pictures' }).focus();
      await page.keyboard.press('Enter');
      const viewer = page.getByRole('dialog', { name: 'Viewer' });
      if (width === 'phone') await viewer.getByRole('button', { name: 'Details' }).click();
      await viewer.getByText('8 credits').waitFor();
      await page.keyboard.press('g');
      await viewer.waitFor({ state: 'detached' });
      await eventually(async () => (await page.getByLabel('Prompt', { exact: true }).inputValue()) === 'a');
      await openComposer(page);
      expect(await page.getByLabel('Width', { exact: true }).inputValue()).toBe('256');
    },
  );

  it('is reached by g g from anywhere: what is typed next is the prompt, and arrow up goes back to earlier ones', async () => {
    const me = await stage.service.signUp();
    await generate(stage.service, me, { prompt: 'an older prompt', width: 64, height: 64 });
    const page = await stage.open('/boards', { as: me });
    await page.getByRole('heading', { name: 'Boards', level: 1 }).waitFor();
    await page.keyboard.type('gga red fox');
    const prompt = page.getByLabel('Prompt', { exact: true });
    await eventually(async () => (await prompt.inputValue()) === 'a red fox');
    await expectFocused(prompt);
    await page.keyboard.press('Control+Enter');
    await tiles(page)
      .filter({ has: page.locator('img') })
      .nth(1)
      .waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await eventually(async () => (await prompt.inputValue()) === 'an older prompt');
    await page.keyboard.press('ArrowDown');
    await eventually(async () => (await prompt.inputValue()) === 'a red fox');
    await page.getByRole('button', { name: 'Earlier prompts' }).press('Enter');
    await page.getByRole('menuitem', { name: 'an older prompt' }).waitFor();
    await page.getByRole('menuitem', { name: 'an older prompt' }).press('Enter');
    expect(await prompt.inputValue()).toBe('an older prompt');
  });

  it('shows refusals at their fields, and uploads a missing picture', async () => {
    const page = await stage.open('/generate?model=local-video', { as: await stage.service.signUp() });
    await form(page).getByText('Not complete yet').waitFor();
    // A press without a picture shows the field of the picture.
    await form(page).getByRole('button', { name: 'Generate' }).press('Enter');
    await page.getByText('is required by the model').waitFor();
    await page.getByRole('textbox', { name: 'FPS' }).fill('99');
    await page.getByText('must be an integer from 12 to 30').waitFor();
    await page.getByRole('textbox', { name: 'FPS' }).fill('');
    const file = { name: 'room.png', mimeType: 'image/png', buffer: await png('#557') };
    await page.locator('input[type=file][aria-label="Start frame"]').setInputFiles(file);
    await page.getByRole('button', { name: /^Start frame: room.png/ }).waitFor();
    await cost(page, '20 credits');
    expect(await page.getByText('is required by the model').count()).toBe(0);
    await expectAccessible(page);
  });

  it('is one line on a phone that opens as a sheet, closes when it generates, and leaves the tile in sight', async () => {
    const page = await stage.open('/generate', { as: await stage.service.signUp(), width: 'phone' });
    const persona = form(page).getByRole('combobox', { name: 'Persona' });
    await cost(page, '4 credits');
    expect(await persona.isVisible()).toBe(false);
    await page.getByLabel('Prompt', { exact: true }).tap();
    await persona.waitFor();
    await page.getByRole('button', { name: 'Less' }).tap();
    await persona.waitFor({ state: 'hidden' });
    await page.getByLabel('Prompt', { exact: true }).fill('a fox');
    await stage.service.stopWorker();
    await form(page).getByRole('button', { name: 'Generate' }).tap();
    await eventually(() => isInSight(page.getByRole('article').getByRole('progressbar')));
    expect(await persona.isVisible()).toBe(false);
    await stage.service.startWorker();
    const output = tiles(page).first();
    await output.waitFor();
    await eventually(() => isInSight(output));
  });

  it('cancels what is under way, and retries, uses or dismisses what has failed', async () => {
    const me = await stage.service.signUp();
    const image = await stored(me, 'room.png', '#557');
    models.fal.plan(['moderates', 'moderates']);
    await generate(stage.service, me, { model: 'vector', image, prompt: 'a private address' });
    const page = await stage.open('/generate', { as: me });
    const failed = page.getByRole('article', { name: /: a private address$/ });
    const status = page.getByRole('status').filter({ hasText: 'ailed' });
    await status.getByText('Failed: The provider has rejected the content').waitFor();
    await expectPresentable(page, 'generate-failed');
    await status.getByRole('button', { name: 'Show' }).press('Enter');
    await failed.getByRole('button', { name: 'Use its settings' }).press('Enter');
    await eventually(
      async () => (await page.getByLabel('Prompt', { exact: true }).inputValue()) === 'a private address',
    );
    await page.getByRole('button', { name: 'Less' }).press('Enter');
    await failed.getByRole('button', { name: 'Retry' }).press('Enter');
    const generations = async () =>
      (await stage.service.call('GET', '/v2/generations', { token: me.token })).body.generations as { state: string }[];
    await eventually(async () => (await generations()).filter(({ state }) => state === 'failed').length === 2);
    await eventually(async () => (await failed.count()) === 2);
    await expectPresentable(page, 'generate-all-failed');
    await failed.first().getByRole('button', { name: 'a private address' }).press('Enter');
    const details = page.getByRole('dialog', { name: /Generation \d+/ });
    await details.getByText(/credits? (is|are) back/).waitFor();
    await expectAccessible(page);
    await page.goBack();
    await details.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Back to the pictures' }).press('Enter');
    await status.getByText('2 failed').waitFor();
    await status.getByRole('button', { name: 'Dismiss all' }).press('Enter');
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter');
    await status.getByRole('button', { name: 'Dismiss all' }).press('Enter');
    await status.waitFor({ state: 'detached' });
    const kept = async () =>
      (await stage.service.call('GET', '/v2/auth/preferences', { token: me.token })).body.preferences;
    await eventually(async () => 'dismissed_failures' in (await kept()));
    const elsewhere = await stage.open('/generate', { as: me });
    await elsewhere.getByRole('button', { name: 'Medium tiles' }).waitFor();
    expect(await elsewhere.getByText('2 failed').count()).toBe(0);

    await stage.service.stopWorker();
    await openComposer(page);
    await page.getByRole('button', { name: 'Start over' }).press('Enter');
    await chooseModel(page, 'painter');
    await page.getByLabel('Prompt', { exact: true }).fill('never to be');
    await page.keyboard.press('Control+Enter');
    const open = page.getByRole('article', { name: 'Painter: never to be' });
    await open.getByRole('button', { name: 'Cancel' }).press('Enter');
    await open.waitFor({ state: 'detached' });
    await page.getByText('Canceled. Its credits are back.').waitFor();
  });

  it('opens what a link to the history named: outputs on the stage, and why there are none', async () => {
    const me = await stage.service.signUp();
    const fox = await generate(stage.service, me, { prompt: 'a fox', width: 256, height: 192 });
    models.fal.plan(['moderates']);
    const image = await stored(me, 'room.png', '#557');
    const failed = await generate(stage.service, me, { model: 'vector', image, prompt: 'private' });
    for (const seed of [1, 2, 3])
      await generate(stage.service, me, { prompt: 'an owl', seed, count: 4, width: 256, height: 192 });
    const page = await stage.open(`/history?open=${fox.id}`, { as: me });
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByText('a fox').first().waitFor();
    await viewer.getByText(`${fox.id}`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await tiles(page).nth(12).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`/console/history?open=${failed.id}`);
    await page
      .getByRole('dialog', { name: `Generation ${failed.id}` })
      .getByText('The provider does not allow this content')
      .first()
      .waitFor();
    await page.goto('/console/history?state=failed');
    await page.getByRole('button', { name: 'Back to the pictures' }).waitFor();
    await page.goto('/console/history?open=999999999');
    await page.getByRole('dialog').getByRole('alert').getByText('Request').waitFor();
  });

  it('knows the cost again soon after the service is back', async () => {
    const page = await stage.open('/generate', { as: await stage.service.signUp() });
    await cost(page, '4 credits');
    await page.route('**/v2/generate', (route) => route.abort('connectionrefused'));
    await page.getByLabel('Prompt', { exact: true }).fill('a fox');
    await page.getByText('Cost unknown').waitFor();
    await page.unroute('**/v2/generate');
    await form(page).getByText('4 credits', { exact: true }).waitFor();
    expect(await page.getByText('The service can’t be reached').count()).toBe(0);
  });

  it('keeps a draft over a reload, until it is accepted or started over', async () => {
    const me = await stage.service.signUp();
    const page = await stage.open('/generate?model=local-video', { as: me });
    const prompt = page.getByLabel('Prompt', { exact: true });
    await prompt.fill('a fox');
    await openComposer(page);
    await page.getByRole('textbox', { name: 'FPS' }).fill('20');
    const file = { name: 'room.png', mimeType: 'image/png', buffer: await png('#557') };
    await page.locator('input[type=file][aria-label="Start frame"]').setInputFiles(file);
    const picture = page.getByRole('button', { name: /^Start frame: .*room.png/ });
    await picture.waitFor();
    await prompt.fill('a fox in a room');
    await page.reload();
    await openComposer(page);
    await picture.waitFor();
    expect(await prompt.inputValue()).toBe('a fox in a room');
    expect(await page.getByRole('textbox', { name: 'FPS' }).inputValue()).toBe('20');

    await page.getByRole('button', { name: 'Start over' }).press('Enter');
    await page.getByText('The form is empty again').waitFor();
    await expectFocused(prompt);
    expect(await prompt.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await picture.waitFor();
    await cost(page, '20 credits');
    await prompt.press('Control+Enter');
    await page.getByRole('article').waitFor();
    await eventually(async () => !(await keptBy(page)).includes('a fox'));
    expect(await prompt.inputValue()).toBe('a fox in a room');
    await page.goto('/console/generate');
    await openComposer(page);
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
    await openComposer(page);
    await slots.waitFor();
    const shown = async () =>
      (await slots.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n').at(-1));
    // The pictures are there before the service has said what becomes of them.
    await slots.getByText('Image', { exact: true }).waitFor();
    expect(await shown()).toEqual(['Style', 'Empty', 'Ref. 1', 'Empty', 'Empty', 'Empty', 'Image']);
    await page.getByText('From persona').nth(2).waitFor();
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
    await page.getByText('Failed: The provider has rejected the content').waitFor();
    for (const name of ['vector', 'segment', 'video, Video']) {
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
    }
    await page.getByRole('option', { name: /^3dgen, 3D model/ }).click();
    await expectModel(page);
    await page.keyboard.press('Escape');
    await expectAccessible(page);
  });
};

describeConsole('the screen to generate', journey, models.env);
