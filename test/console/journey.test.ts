/** @tier deep, 70 s, about apps/console */
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { describeConsole } from './support/console.ts';
import { draw, stageOf, startEditModels, UPSCALER } from './support/editing.ts';
import { Film } from './support/film.ts';
import { button, form, openFields, openTile, tile, tiles, viewer } from './support/studio.ts';

const PROMPTS = ['a lighthouse at dawn', 'a fox in the snow', 'a market in the rain'];
const models = await startEditModels([UPSCALER]);
afterAll(() => models.close());

interface Found {
  readonly url: string;
  readonly prompt: string;
  readonly model: string;
  readonly width: number;
  readonly rating: number;
}

interface Slot {
  readonly slot: number;
  readonly photo: string | null;
}

/** A week's work in one go: prompts, a batch, the best one, its corner, a larger one, and finding it again. */
describeConsole(
  'the way of a picture',
  (stage) => {
    async function withPersonas(...names: string[]): Promise<TestUser> {
      const user = await stage.service.signUp();
      for (const name of names) {
        await stage.service.call('POST', '/v2/personas', { token: user.token, json: { name } });
      }
      return user;
    }
    const itemsOf = async ({ token }: TestUser, query: string): Promise<readonly Found[]> =>
      (await stage.service.call('GET', `/v2/library${query}`, { token })).body.items;

    /** Main images of all personas of the user. */
    async function mainImages({ token }: TestUser): Promise<readonly string[]> {
      const call = async (path: string) => (await stage.service.call('GET', path, { token })).body;
      const found: string[] = [];
      for (const { id } of (await call('/v2/personas')).personas) {
        const { slots } = (await call(`/v2/personas/${id}`)).persona;
        found.push(...slots.flatMap(({ slot, photo }: Slot) => (slot === 7 && photo !== null ? [photo] : [])));
      }
      return found;
    }

    it('leads from three prompts to the main image of a persona, by mouse', async () => {
      const shots = await Film.begin('studio');
      const user = await withPersonas('Ada', 'Bob');
      const items = (query: string) => itemsOf(user, query);
      const page = await stage.open('/generate', { as: user });

      await openFields(page, 'desk');
      await fillSize(page);
      await button(form(page), 'Batch').click();
      const panel = page.getByRole('dialog', { name: 'Batch' });
      await panel.getByRole('textbox', { name: /^Prompts/ }).fill(PROMPTS.join('\n'));
      for (const name of ['Ada', 'Bob']) await panel.getByRole('checkbox', { name }).click();
      await panel.getByRole('textbox', { name: 'Number of seeds' }).fill('4');
      await panel.getByText('24 pictures · 96 credits', { exact: true }).waitFor();
      await shots.take(page, 'batch');
      await button(panel, 'Run the batch').click();
      await page.getByText('24 done', { exact: true }).waitFor();
      await shots.take(page, 'batch');

      // One by one: in the plain library, the batch is one tile.
      await page.goto('/console/library?sort=oldest');
      await eventually(async () => (await tiles(page).count()) > 8);
      await tiles(page)
        .nth(0)
        .click({ modifiers: ['Control'] });
      for (const at of [4, 8]) await tiles(page).nth(at).click();
      await button(page.getByRole('region', { name: 'Selection' }), 'Compare').click();
      const comparison = page.getByRole('dialog', { name: 'Compare' });
      await eventually(async () => (await comparison.getByRole('figure').locator('img').count()) === 3);
      await shots.take(page, 'compared');
      await button(comparison, 'Keep B: 5 stars').click();
      await eventually(async () => (await items('?rating=5')).length === 1);

      const chosen = (await items('?rating=5'))[0]!;
      await page.goto('/console/library?rating=5');
      await openTile(page, chosen.prompt);
      await button(viewer(page), /^Edit$/).click();
      await stageOf(page).waitFor();
      await draw(
        page,
        chosen.width,
        [chosen.width * 0.7, chosen.width * 0.1],
        [chosen.width * 0.9, chosen.width * 0.1],
      );
      await page.getByLabel('What should be there?').fill('a red balloon');
      await shots.take(page, 'marked');
      await button(page, 'Generate 6 credits').click();
      await button(page, 'Keep changing').waitFor();
      await shots.take(page, 'changed');

      await page.goto('/console/library?q=ballo');
      await openTile(page, 'a red balloon');
      await button(viewer(page), 'Upscale 2 credits').click();
      await eventually(async () => (await items('?model=larger')).length === 1);
      await page.goto('/console/library?madeWith=larger');
      await openTile(page, 'a red balloon');
      await shots.take(page, 'upscaled');
      await viewer(page).getByText('1 of 1', { exact: true }).waitFor();
      await page.keyboard.press('4');
      await eventually(async () => (await items('?rating=4')).some(({ model }) => model === 'larger'));
      await page.keyboard.press('t');
      const tags = page.getByRole('dialog', { name: 'Tag 1 item' });
      await tags.getByLabel('Tags').fill('final');
      await page.keyboard.press('Enter');
      await button(tags, 'Save').press('Enter');
      await eventually(async () => (await items('?tag=final')).length === 1);

      await page.goto('/console/library?q=fina');
      await openTile(page, 'a red balloon');
      await button(viewer(page), 'Find alike').click();
      await page.waitForURL(/like=\d/);
      await eventually(async () => (await tiles(page).count()) > 2);
      await shots.take(page, 'alike');
      await page.goto('/console/library?tags=final');
      await openTile(page, 'a red balloon');
      await button(viewer(page), 'Same colours').click();
      await page.waitForURL(/color=/);
      await eventually(async () => (await tiles(page).count()) > 2);
      await tile(page, 'a red balloon').waitFor();
      await shots.take(page, 'colours');

      await page.goto('/console/library?tags=final');
      await openTile(page, 'a red balloon');
      await button(viewer(page), 'To slot…').click();
      const dialog = page.getByRole('dialog', { name: 'Use as slot' });
      await dialog.getByRole('radio', { name: /^Slot 7/ }).click();
      await shots.take(page, 'slot');
      await button(dialog, 'Use picture').click();
      await page.getByText(/^In slot 7 of/).waitFor();
      expect(await mainImages(user)).toEqual([(await items('?tag=final'))[0]!.url]);
    });
  },
  models.env,
);

/** Small pictures are made soon. */
async function fillSize(page: Page): Promise<void> {
  await form(page).getByLabel('Width', { exact: true }).fill('320');
  await form(page).getByLabel('Height', { exact: true }).fill('240');
}
