/** @tier deep, 83 s, about apps/console */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { readZip } from '../support/read-zip.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { describeConsole, itOnEach, WIDTHS } from './support/console.ts';
import { aPhotograph } from './support/photos.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectFocused, isInSight } from './support/pages.ts';
import { generate } from './support/generations.ts';
import { downloadOf } from './support/files.ts';

const SMALL = { width: 256, height: 192 };
const PROMPTS = ['a lighthouse at dawn', 'a fox in the snow', 'a market in the rain'];

describeConsole('the library', (stage) => {
  const grid = (page: Page) => page.getByRole('listbox', { name: 'Pictures, videos and models' });
  const tiles = (page: Page) => grid(page).getByRole('option');

  async function openFilled(width: 'phone' | 'desk' = 'desk') {
    const me = await stage.service.signUp();
    for (const [at, prompt] of PROMPTS.entries()) await generate(stage.service, me, { prompt, seed: at, ...SMALL });
    const page = await stage.open('/library', { as: me, width });
    await tiles(page)
      .nth(PROMPTS.length - 1)
      .waitFor();
    return { me, page };
  }
  const itemsOf = async (token: string) => (await stage.service.call('GET', '/v2/library', { token })).body.items;

  it('loads no original: at most 2 MB for twelve photographs, on a phone', async () => {
    const me = await stage.service.signUp();
    const photo = await aPhotograph();
    for (let at = 0; at < 12; at++) await uploaded(stage.service, me, `photo-${at}.jpg`, photo);
    const items = () => stage.service.call('GET', '/v2/library', { token: me.token }).then(({ body }) => body.items);
    await eventually(async () => (await items()).every(({ colors }: { colors: string[] }) => colors.length > 0));
    const page = await stage.open('/tokens', { as: me, width: 'phone' });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setDeviceMetricsOverride', { ...WIDTHS.phone, deviceScaleFactor: 3, mobile: true });
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    const loaded: Record<string, number> = {};
    const types = new Map<string, string>();
    devtools.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const type = types.get(requestId) ?? 'Other';
      loaded[type] = (loaded[type] ?? 0) + encodedDataLength;
    });
    await devtools.send('Network.enable');
    await page.goto('/console/library');
    await tiles(page).nth(11).waitFor();
    await tiles(page).nth(11).scrollIntoViewIfNeeded();
    await eventually(() =>
      grid(page)
        .locator('img[data-loaded]')
        .count()
        .then((count) => count >= 8),
    );
    await page.waitForLoadState('networkidle');
    if (process.env.BUDGETS) process.stdout.write(`library ${photo.length} ${JSON.stringify(loaded)}\n`);
    const { Script = 0, Stylesheet = 0, Font = 0, Document = 0, ...others } = loaded;
    expect(Script + Stylesheet + Font + Document).toBeGreaterThan(0);
    expect(Object.values(others).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2_000_000);
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[role=option] img')].map((each) => each.src)`,
    );
    expect(shown.filter((url) => !/-(320|1024)\.webp$/.test(url))).toEqual([]);
    await expectPresentable(page, 'library-photographs', ['phone']);
  });

  it('says what it will hold, and how to change filters without matches', async () => {
    const page = await stage.open('/library', { as: await stage.service.signUp() });
    await page.getByText('Nothing here yet').waitFor();
    await expectAccessible(page);
    await page.goto('/console/library?q=nothing&rating=9&color=red&since=x');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().press('Enter');
    await page.getByText('Nothing here yet').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  itOnEach('finds a picture by half a word, rates and tags it on the stage, on a %s', async (width) => {
    const { me, page } = await openFilled(width);
    await expectPresentable(page, 'library', [width]);
    await page.getByRole('searchbox').fill('lighth');
    await eventually(async () => (await tiles(page).count()) === 1);
    await tiles(page).first().click();
    const stageOf = page.getByRole('dialog', { name: 'Viewer' });
    if (width === 'phone') await stageOf.getByRole('button', { name: 'Details' }).click();
    await stageOf.getByRole('radio', { name: '4 stars' }).locator('xpath=following-sibling::label[1]').click();
    const tags = stageOf.getByLabel('Tags');
    await tags.fill('Blue Hour');
    await tags.press('Enter');
    await tags.blur();
    await stageOf.getByText('a lighthouse at dawn').first().waitFor();
    await expectPresentable(page, 'library-stage', [width]);
    await eventually(async () => {
      const item = (await itemsOf(me.token)).find(({ prompt }: { prompt: string }) => prompt === PROMPTS[0]);
      return item.rating === 4 && item.tags[0] === 'blue hour';
    });
  });

  it('is searched, rated, downloaded as a zip, tagged and put on a board by keyboard', async () => {
    const { me, page } = await openFilled();
    await page.keyboard.press('/');
    await expectFocused(page.getByRole('searchbox'));
    await grid(page).focus();
    await page.keyboard.press('5');
    await eventually(async () => (await itemsOf(me.token))[0].rating === 5);
    await page.keyboard.press('Control+a');
    await page.getByRole('status').getByText('3 items selected').waitFor();
    const download = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download' });
    const file = await downloadOf(page, download.press('Enter'));
    expect(file.suggestedFilename()).toMatch(/\.zip$/);
    const names = (await readZip(await readFile(await file.path()))).map(({ path }) => path);
    expect([names.length, names.includes('index.csv')]).toEqual([PROMPTS.length + 1, true]);
    await grid(page).focus();
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tag 3 items' });
    await dialog.getByLabel('Tags').fill('autumn');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Tagged 3 items').waitFor();
    const tagged = await itemsOf(me.token);
    expect(tagged.map(({ tags }: { tags: string[] }) => tags)).toEqual([['autumn'], ['autumn'], ['autumn']]);

    await grid(page).focus();
    await page.keyboard.press('b');
    const board = page.getByRole('dialog', { name: 'Put on a board' });
    await board.getByLabel('Name').fill('Autumn');
    await page.keyboard.press('Enter');
    await board.waitFor({ state: 'hidden' });
    const { body } = await stage.service.call('GET', '/boards', { token: me.token });
    expect(body.boards).toMatchObject([{ name: 'Autumn', media_count: 3 }]);
  });

  itOnEach('has its actions in one row of the stage, of which every button can be reached, on a %s', async (width) => {
    const { me, page } = await openFilled(width);
    await tiles(page).first().click();
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    const button = (name: string | RegExp) => viewer.getByRole('button', { name });
    await button('Vary 4 credits').waitFor();
    await page.mouse.move(0, 0);
    await expectPresentable(page, 'library-actions', [width]);
    for (const name of [
      'Vary 4 credits',
      'Animate 20 credits',
      'Use settings',
      'To slot…',
      'To board',
      'Tag',
      'Find alike',
    ]) {
      await button(name).scrollIntoViewIfNeeded();
      expect(await isInSight(button(name))).toBe(true);
    }
    await button('Animate 20 credits').click();
    await page.getByText('Animate: started for 20 credits').waitFor();
    const { body } = await stage.service.call('GET', '/v2/generations', { token: me.token });
    expect(body.generations[0]).toMatchObject({ model: 'local-video', parent: { output: 0 } });
    await button('Find alike').click();
    await viewer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('like')).toMatch(/^\d+$/);
  });

  it('rates, tags, puts on a board, edits and goes to the composer by the keys of the stage', async () => {
    const { me, page } = await openFilled();
    await grid(page).focus();
    await page.keyboard.press('Space');
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByText('1 of 3', { exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer.getByText('2 of 3', { exact: true }).waitFor();
    await viewer.getByText('Seed').waitFor();
    await page.keyboard.press('3');
    await eventually(async () => (await itemsOf(me.token))[1].rating === 3);
    await page.keyboard.press('0');
    await eventually(async () => (await itemsOf(me.token))[1].rating === 0);
    await page.keyboard.press('t');
    const tags = page.getByRole('dialog', { name: 'Tag 1 item' });
    await tags.getByLabel('Tags').fill('snow 5');
    await page.keyboard.press('Enter');
    await tags.getByRole('button', { name: 'Save' }).press('Enter');
    await tags.waitFor({ state: 'detached' });
    await eventually(async () => (await itemsOf(me.token))[1].tags[0] === 'snow 5');
    // Letters typed in the dialog over the stage were no keys of the stage.
    expect((await itemsOf(me.token))[1].rating).toBe(0);
    await page.keyboard.press('b');
    await page.getByRole('dialog', { name: 'Put on a board' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Put on a board' }).waitFor({ state: 'detached' });
    // Escape closed only the dialog over the stage.
    expect(await viewer.isVisible()).toBe(true);
    // Until the focus is back from a dialog it is nowhere.
    await page.evaluate('document.activeElement.blur()');
    const picture = await downloadOf(page, page.keyboard.press('d'));
    expect(picture.suggestedFilename()).toMatch(/\.png$|\.webp$|\.jpg$/);
    await page.keyboard.press('g');
    await page.waitForURL(/generate\?from=\d+/);
  });

  it('has a name that F2 changes on the stage, is found by it, and shown to the board that has the picture', async () => {
    const { me, page } = await openFilled();
    await tiles(page)
      .filter({ has: page.locator('img') })
      .first()
      .waitFor();
    const [{ url, name: given }] = await itemsOf(me.token);
    expect(given).toBe('a market in the rain 2');
    const { body } = await stage.service.call('POST', '/boards', { token: me.token, form: { name: 'Trip' } });
    await stage.service.call('POST', `/boards/${body.board.id}/media`, { token: me.token, form: { url } });
    await grid(page).getByRole('option', { name: given }).click();
    const dialog = page.getByRole('dialog', { name: 'Viewer' });
    await dialog.getByRole('button', { name: `Name: ${given}` }).waitFor();
    await page.keyboard.press('F2');
    const field = dialog.getByRole('textbox', { name: 'Name', exact: true });
    await expectFocused(field);
    await field.fill('thrown away');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: `Name: ${given}` }).click();
    await field.fill('Umbrellas in Osaka');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Name: Umbrellas in Osaka' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('umbrel');
    await eventually(async () => (await tiles(page).count()) === 1);
    await page.goto(`/console/boards/${body.board.id}`);
    await page.getByRole('option', { name: /^Umbrellas in Osaka/ }).hover();
    await expectAccessible(page);
  });

  it('is selected by a band that the mouse draws between tiles, until Escape', async () => {
    const { page } = await openFilled();
    const status = page.getByRole('status');
    const boxes = await Promise.all([0, 1, 2].map(async (at) => (await tiles(page).nth(at).boundingBox())!));
    const [first, second, third] = boxes as [Box, Box, Box];
    const below = first.y + first.height + 6;
    await page.mouse.move(second.x + 30, below);
    await page.mouse.down();
    await page.mouse.move(third.x + 30, second.y + 30, { steps: 4 });
    await status.getByText('2 items selected').waitFor();
    await page.keyboard.press('Escape');
    await status.getByText('2 items selected').waitFor({ state: 'detached' });
    await page.mouse.move(second.x + 60, second.y + 40);
    await page.mouse.up();
    expect(await grid(page).getByRole('option', { selected: true }).count()).toBe(0);

    await page.mouse.move(first.x + first.width + 6, below);
    await page.mouse.down();
    await page.mouse.move(first.x + 20, first.y + 20, { steps: 4 });
    await status.getByText('1 item selected').waitFor();
    await page.mouse.up();
    await page.keyboard.down('Control');
    await page.mouse.move(third.x + third.width + 6, third.y + 20);
    await page.mouse.down();
    await page.mouse.move(third.x + 20, third.y + 30, { steps: 4 });
    await status.getByText('2 items selected').waitFor();
    await page.mouse.up();
    await page.keyboard.up('Control');
    await expectFocused(grid(page));
    await page.keyboard.press('x');
    await status.getByText('1 item selected').waitFor();
  });

  it('loses deleted items at once, and has them again on undo', async () => {
    const { me, page } = await openFilled();
    await grid(page).focus();
    await page.keyboard.press('Delete');
    await eventually(async () => (await tiles(page).count()) === 2);
    // The offer comes when the service has deleted it.
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await itemsOf(me.token)).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await tiles(page).count()) === 3);
    expect(await itemsOf(me.token)).toHaveLength(3);

    await tiles(page).nth(1).click();
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByRole('button', { name: 'Delete' }).click();
    await viewer.getByText('2 of 2', { exact: true }).waitFor();
    await viewer.getByText(PROMPTS[0]!).first().waitFor();
    await eventually(async () => (await itemsOf(me.token)).length === 2);
    const { body } = await stage.service.call('GET', '/v2/trash', { token: me.token });
    expect(body.trash).toHaveLength(1);
  });

  it('loses at once what members delete, and says who may restore it', async () => {
    const { member } = await teamOf(stage.service);
    const me = await member();
    await generate(stage.service, me, { prompt: PROMPTS[0], ...SMALL });
    const page = await stage.open('/library', { as: me });
    await tiles(page).first().waitFor();
    await grid(page).focus();
    await page.keyboard.press('Delete');
    await page.getByText('Deleted 1 item. Admins can restore what was deleted while the trash keeps it.').waitFor();
    expect(await itemsOf(me.token)).toHaveLength(0);
  });

  it('is filtered by tag and rating, and saves that as a search', async () => {
    const { me, page } = await openFilled();
    const [{ file_id: id }] = await itemsOf(me.token);
    await stage.service.call('PUT', `/v2/library/${id}`, { token: me.token, json: { rating: 5, tags: ['best'] } });
    await page.goto('/console/library?tags=best&rating=4');
    await eventually(async () => (await tiles(page).count()) === 1);
    await page.getByRole('button', { name: 'Saved searches' }).press('Enter');
    const searches = page.getByRole('dialog', { name: 'Saved searches' });
    await searches.getByText('No search is saved yet.').waitFor();
    await searches.getByLabel('Name').fill('Best of all');
    await expectPresentable(page, 'library-searches');
    await page.keyboard.press('Enter');
    await page.getByText('Saved “Best of all”').waitFor();

    await page.goto('/console/library');
    await eventually(async () => (await tiles(page).count()) === PROMPTS.length);
    await page.getByRole('button', { name: 'Saved searches' }).press('Enter');
    await searches.getByRole('button', { name: 'Best of all', exact: true }).press('Enter');
    await eventually(async () => (await tiles(page).count()) === 1);
    expect(new URL(page.url()).searchParams.get('tags')).toBe('best');
  });
});

/** CSS pixels in the window. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
