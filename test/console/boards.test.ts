/** @tier test, 38 s */
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { startMediaServer } from '../support/media-server.ts';
import { aVideo } from '../support/sample-video.ts';
import { type ConsoleStage, describeConsole } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectModel, isInSight, touchAndHold } from './support/pages.ts';
import { fillBoard } from './support/full-board.ts';
import { longestTask, scroll } from './support/long-tasks.ts';
import { aModel } from './support/sample-model.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const LONG_NAME = 'W'.repeat(255);
const ARABIC = 'لوحة الحملة الصيفية';
const server = await startMediaServer();
afterAll(() => server.stop());

const picture = (hue: number, width = 320, height = 240) =>
  sharp({ create: { width, height, channels: 3, background: { r: hue, g: 120, b: 90 } } })
    .png()
    .toBuffer();

describeConsole('the boards', (stage) => journeys(stage), { FETCH_ALLOWED_HOSTS: server.host });

function journeys(stage: ConsoleStage): void {
  const ada = prepared(() => stage.service.signUp());
  const call = bodiesFor(stage, ada);
  const newBoard = async (name: string): Promise<number> => (await call('POST', '/boards', { name })).board.id;
  const boardOf = async (id: number) => (await call('GET', `/boards/${id}`)).board;
  const add = (id: number, media: object) => call('POST', `/boards/${id}/media`, media);
  const processed = (id: number) =>
    eventually(async () => {
      const { media } = await boardOf(id);
      return media.every(({ state }: { state: string }) => state !== 'created');
    });

  it('are made, filled, sorted into folders and tidied up by keyboard alone', async () => {
    const page = await stage.open('/boards', { as: ada });
    await focus(page, 'button', 'Create a board');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Summer');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Summer', level: 1 }).waitFor();
    await page.getByText('Nothing on this board yet').waitFor();

    const files = await Promise.all([40, 120, 200].map(async (hue) => fileOf(`${hue}.png`, await picture(hue))));
    await page.getByLabel('Upload files…').setInputFiles(files);
    const tiles = page.getByRole('option');
    await eventually(async () => (await tiles.count()) === 3);
    await page.getByRole('option', { name: '120.png', exact: true }).waitFor();

    await focus(page, 'button', 'New folder');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Drafts');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing in this folder yet').waitFor();
    await focus(page, 'treeitem', 'Summer');
    await page.keyboard.press('Enter');

    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('Control+a');
    await page.getByText('3 items selected').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page.getByText('2 items selected').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Move 2 items to' }).locator('input:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Moved 2 items to Drafts').waitFor();
    expect(await tiles.count()).toBe(1);
    await focus(page, 'button', 'Undo');
    await page.keyboard.press('Enter');
    await eventually(async () => (await tiles.count()) === 3);
    const [board] = (await call('GET', '/boards')).boards;
    await eventually(async () => {
      const { media } = await boardOf(board.id);
      return media.every(({ folder_id }: { folder_id: number | null }) => folder_id === null);
    });

    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Viewer' }).waitFor();
    const shown = new URL(page.url()).searchParams.get('media');
    await page.keyboard.press('ArrowRight');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('media')).not.toBe(shown);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');

    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('Delete');
    await page.getByText('Deleted 1 item').waitFor();
    expect(await tiles.count()).toBe(2);
    // The notice comes when it is done.
    expect((await boardOf(board.id)).media_count).toBe(2);
    await focus(page, 'button', 'Undo');
    await page.keyboard.press('Enter');
    await eventually(async () => (await boardOf(board.id)).media_count === 3);
    await eventually(async () => (await tiles.count()) === 3);
  });

  it('are filled, sorted and tidied up by touch on a phone', async () => {
    const page = await stage.open('/boards', { as: ada, width: 'phone' });
    await page.getByRole('button', { name: 'New board' }).first().tap();
    await page.getByRole('textbox', { name: 'Name' }).fill('Pocket');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pocket', level: 1 }).waitFor();
    const files = await Promise.all([40, 120, 200].map(async (hue) => fileOf(`${hue}.png`, await picture(hue))));
    await page.getByLabel('Upload files…').setInputFiles(files);
    const tiles = page.getByRole('option');
    await eventually(async () => (await tiles.count()) === 3);
    await page.getByRole('button', { name: 'New folder' }).tap();
    await page.getByRole('textbox', { name: 'Name' }).fill('Drafts');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing in this folder yet').waitFor();
    await page.goBack();

    await tiles.first().waitFor();
    await touchAndHold(tiles.first());
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText('1 item selected').waitFor();
    await eventually(() => isInSight(selection.getByRole('button', { name: 'Move to' })));
    await tiles.nth(1).tap();
    await selection.getByText('2 items selected').waitFor();
    await selection.getByRole('button', { name: 'Move to' }).tap();
    await page.getByRole('dialog').getByText('Drafts').tap();
    await page.getByText('Moved 2 items to Drafts').waitFor();
    await eventually(async () => (await tiles.count()) === 1);
    await tiles.first().tap();
    await page.getByRole('dialog', { name: 'Viewer' }).waitFor();
  });

  it('show media of every kind and the reasons of failures, and retry', async () => {
    const id = await newBoard('Mixed');
    const [still, film] = [await picture(80, 640, 480), await aVideo({ width: 320, height: 180, seconds: 1 })];
    const extras = JSON.stringify({ prompt: 'a lighthouse', seed: 7 });
    const named = await add(id, { url: server.serve(still), control_image: server.serve(await picture(90)), extras });
    await add(id, { url: server.serve(film) });
    await add(id, { url: server.serve(aModel()) });
    await add(id, { url: server.failOnce(still) });
    await processed(id);
    const rename = { token: ada.token, form: { name: 'a lighthouse' } };
    await stage.service.call('PUT', `/boards/${id}/media/${named.media.id}`, rename);
    const page = await stage.open(`/boards/${id}`, { as: ada });
    await page.getByRole('option', { name: 'a lighthouse' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search this board' }).waitFor();
    await expectPresentable(page, 'board-mixed');

    await page.getByRole('option', { name: 'a lighthouse' }).click();
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByText('640 × 480 pixels').waitFor();
    expect(await viewer.getByRole('definition').allInnerTexts()).toEqual(expect.arrayContaining(['7', 'PNG']));
    expect(await viewer.getByRole('img', { name: 'Control image' }).count()).toBe(1);
    await page.keyboard.press('ArrowLeft');
    await viewer.locator('video').waitFor();
    await page.keyboard.press('ArrowLeft');
    // Its decoders are the console's own: none comes from another origin.
    await expectModel(page);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    const isFailed = await page.getByText('1 item could not be prepared').count();
    if (isFailed > 0) await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await boardOf(id)).media[0].state === 'processed');
    await page.getByText('could not be prepared').waitFor({ state: 'detached' });
  });

  it('scroll through 5,000 media without a task of more than 100 ms', async () => {
    const id = await newBoard(LONG_NAME);
    for (const hue of [30, 90, 150]) await add(id, { url: server.serve(await picture(hue, 640, 480)) });
    await processed(id);
    await call('POST', `/boards/${id}/folders`, { name: ARABIC });
    await fillBoard(stage.service, id, 4997, null);
    const page = await stage.open(`/boards/${id}`, { as: ada });
    await page.getByRole('option').first().waitFor();
    expect(await longestTask(page, () => scroll(page))).toBeLessThan(100);
    expect(await page.getByRole('option').count()).toBeLessThan(100);
    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('End');
    await page.locator('[role=option][aria-posinset="5000"]').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText('5,000 items selected').waitFor();
    await page.keyboard.press('Home');
    await expectPresentable(page, 'board-full');
  });

  /** A board with a red, a green and a blue picture, the red one first. */
  async function withColours(name: string) {
    const id = await newBoard(name);
    const ids: number[] = [];
    for (const [colour, hue] of [
      ['blue', 10],
      ['green', 120],
      ['red', 240],
    ] as const) {
      const { media } = await add(id, { url: server.serve(await picture(hue)) });
      ids.unshift(media.id);
      await processed(id);
      await call('PUT', `/boards/${id}/media/${media.id}`, { name: colour });
    }
    return { id, ids };
  }
  const namesOn = (page: Page) =>
    page
      .getByRole('option')
      .evaluateAll((tiles) =>
        (tiles as unknown as { ariaPosInSet: string; ariaLabel: string }[])
          .toSorted((one, other) => Number(one.ariaPosInSet) - Number(other.ariaPosInSet))
          .map(({ ariaLabel }) => ariaLabel),
      );
  const expectOrder = (page: Page, names: readonly string[]) =>
    eventually(async () => String(await namesOn(page)) === String(names));

  it('are ordered by dragging and by keys, with notes between, for all who look at them later', async () => {
    const { id } = await withColours('Order');
    const page = await stage.open(`/boards/${id}`, { as: ada });
    await expectOrder(page, ['red', 'green', 'blue']);
    const tile = (name: string) => page.getByRole('option', { name, exact: true });
    const box = (await tile('blue').boundingBox())!;
    await tile('red').hover();
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 20, { steps: 4 });
    await page.mouse.move(box.x + box.width - 10, box.y + 40, { steps: 4 });
    await page.locator('[class*=gap]').waitFor();
    await page.mouse.up();
    await expectOrder(page, ['green', 'blue', 'red']);
    await page.getByRole('status').getByText('Moved to place 3 of 3').waitFor({ state: 'attached' });

    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('Home');
    await page.keyboard.press('Alt+ArrowRight');
    await expectOrder(page, ['blue', 'green', 'red']);
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Note' }).fill('Colder <b>from here on</b>');
    await expectPresentable(page, 'board-note-new', ['desk']);
    await page.getByRole('button', { name: 'Save' }).click();
    const note = 'Note: Colder <b>from here on</b>';
    await expectOrder(page, ['blue', 'green', note, 'red']);
    await page.reload();
    await expectOrder(page, ['blue', 'green', note, 'red']);
    await page.getByRole('searchbox', { name: 'Search this board' }).waitFor();
    await expectPresentable(page, 'board-order');

    await focus(page, 'listbox', 'Media');
    await page.keyboard.press('Home');
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('textbox', { name: 'Note' }).fill('Warmer');
    await page.keyboard.press('Control+Enter');
    await expectOrder(page, ['blue', 'green', 'Note: Warmer', 'red']);
    await eventually(() => page.evaluate<boolean>(`document.activeElement.role === 'listbox'`));
    await page.keyboard.press('Delete');
    await expectOrder(page, ['blue', 'green', 'red']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectOrder(page, ['blue', 'green', 'Note: Warmer', 'red']);
  });

  it('are ordered by touch, and have the old order again when the service refuses', async () => {
    const { id } = await withColours('Touched');
    const page = await stage.open(`/boards/${id}`, { as: ada, width: 'phone' });
    await expectOrder(page, ['red', 'green', 'blue']);
    await touchAndHold(page.getByRole('option').first());
    const later = page.getByRole('button', { name: 'Later' });
    await later.tap();
    await expectOrder(page, ['green', 'red', 'blue']);
    await expectPresentable(page, 'board-select', ['phone']);
    await eventually(async () => {
      const { media } = await call('GET', `/boards/${id}/media?sort=manual`);
      return String(media.map(({ name }: { name: string }) => name)) === 'green,red,blue';
    });
    await page.route('**/media/order', (route) => route.fulfill({ status: 503, json: {} }));
    await later.tap();
    await page.getByRole('alert').first().waitFor();
    await expectOrder(page, ['green', 'red', 'blue']);
  });

  it('find media by words and tags, in the order of the address', async () => {
    const { id, ids } = await withColours('Search');
    const folder = (await call('POST', `/boards/${id}/folders`, { name: 'Drafts' })).folder.id;
    await call('PUT', `/boards/${id}/media/${ids[1]}/move`, { folder_id: folder });
    await call('POST', `/boards/${id}/notes`, { text: 'First' });
    const { items } = await call('GET', '/v2/library?limit=3');
    const fileOf = (name: string) => items.find((item: { name: string }) => item.name === name).file_id;
    await call('PUT', `/v2/library/${fileOf('blue')}`, { tags: ['sea'], rating: 5 });
    await call('PUT', `/v2/library/${fileOf('green')}`, { tags: ['sea'] });
    const page = await stage.open(`/boards/${id}`, { as: ada });
    await expectOrder(page, ['Note: First', 'red', 'blue']);
    await page.getByRole('searchbox').fill('gree');
    await expectOrder(page, ['green']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('Sea');
    await page.keyboard.press('Enter');
    await expectOrder(page, ['green', 'blue']);
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Rating' }).click();
    await expectOrder(page, ['blue', 'green']);
    await expectPresentable(page, 'board-search');
    await page.reload();
    await expectOrder(page, ['blue', 'green']);
    expect([...new URL(page.url()).searchParams]).toEqual([
      ['tags', 'Sea'],
      ['sort', 'rating'],
    ]);
    await page.getByRole('searchbox').fill('nothing of the kind');
    await page.getByText('Nothing matches').waitFor();
  });

  it('are found by name', async () => {
    const id = await newBoard(ARABIC);
    const page = await stage.open('/boards', { as: ada });
    await page.getByRole('searchbox').fill('حملة');
    await page.getByRole('link', { name: ARABIC }).waitFor();
    await eventually(async () => (await page.getByRole('article').count()) === 1);
    expect(new URL(page.url()).searchParams.get('q')).toBe('حملة');
    await page.getByRole('searchbox').fill('nothing of the kind');
    await page.getByText('No board is called').waitFor();
    await page.getByRole('button', { name: 'Show all boards' }).click();
    await page.getByRole('link', { name: LONG_NAME }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Actions for ${ARABIC}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('It is empty.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: ARABIC }).waitFor({ state: 'detached' });
    expect((await stage.service.call('GET', `/boards/${id}`, { token: ada.token })).status).toBe(404);
  });
}

/** Focuses what the Tab key would lead to. */
async function focus(page: Page, role: Parameters<Page['getByRole']>[0], name: string): Promise<void> {
  const element = page.getByRole(role, { name, exact: true });
  await element.waitFor();
  await element.focus();
}

const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
