/** @tier deep, 120 s, about apps/console */
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { describeConsole } from './support/console.ts';
import { draw, endedOf, stageOf, startEditModels, storePicture, UPSCALER } from './support/editing.ts';
import { generate } from './support/generations.ts';
import { button, form, openFields, openTile, prompt, selectTile, tile, tiles, viewer } from './support/studio.ts';
import { itTakesFewClicks, type Task } from './support/tasks.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const MANY = 40;
const SIZE = { width: 320, height: 240 };
const PROMPTS = ['a lighthouse at dawn', 'a fox in the snow', 'a market in the rain'];
const models = await startEditModels([UPSCALER]);
afterAll(() => models.close());

/** Tasks of a creative team's week: each in a few clicks, by mouse and on a phone. */
describeConsole(
  'a task of the week',
  (stage) => {
    const me = prepared(() => stage.service.signUp());
    const call = bodiesFor(stage, me);
    const newest = async () => (await call('GET', '/v2/generations')).generations[0];

    beforeAll(async () => {
      for (const [seed, prompt] of PROMPTS.entries()) await generate(stage.service, me, { prompt, seed, ...SIZE });
      await call('POST', '/boards', { name: 'Campaign' });
      const picture = await sharp({ create: { ...SIZE, channels: 3, background: '#557' } })
        .jpeg()
        .toBuffer();
      await Promise.all(Array.from({ length: MANY }, () => storePicture(stage.service, me, picture)));
    });

    /** Starts a generation, and returns what reads it. */
    const pressGenerate = async (page: Page) => {
      // The price is asked for at the same address, with 200.
      const response = page.waitForResponse((each) => each.url().endsWith('/v2/generate') && each.status() === 202);
      await button(form(page), 'Generate').click();
      await page.getByRole('article').first().waitFor();
      const { generation_id: id } = await (await response).json();
      return () => call('GET', `/v2/generations/${id}`);
    };

    const tasks: readonly Task[] = [
      {
        name: 'eight variations of three prompts',
        path: '/generate',
        work: async (page, width) => {
          await openFields(page, width);
          await button(form(page), 'Batch').click();
          const panel = page.getByRole('dialog', { name: 'Batch' });
          const prompts = panel.getByRole('textbox', { name: /^Prompts/ });
          await prompts.click();
          // Others than those that the other tasks look for: the grid has only the tiles in sight.
          await prompts.fill('an owl at dusk\na pier in fog\na garden in May');
          const seeds = panel.getByRole('textbox', { name: 'Number of seeds' });
          await seeds.click();
          await seeds.fill('8');
          await panel.getByText('24 pictures · 96 credits', { exact: true }).waitFor();
          await button(panel, 'Run the batch').click();
          await page.getByRole('grid', { name: 'Results of the batch' }).waitFor();
          return async () => expect((await call('GET', '/v2/batches')).batches[0].cells.total).toBe(24);
        },
      },
      {
        name: 'last week’s picture by half a word',
        path: '/library',
        work: async (page) => {
          await page.getByRole('searchbox').click();
          await page.getByRole('searchbox').fill('lighth');
          await eventually(async () => (await tile(page, PROMPTS[1]!).count()) === 0);
          await openTile(page, PROMPTS[0]!);
        },
      },
      {
        name: 'the logo erased',
        path: '/library?q=lighth',
        work: async (page) => {
          await openTile(page, PROMPTS[0]!);
          await button(viewer(page), /^Edit$/).click();
          await stageOf(page).waitFor();
          await draw(page, SIZE.width, [250, 200], [300, 200]);
          await button(page, 'Generate 6 credits').click();
          await button(page, 'Keep changing').waitFor();
          return async () => expect((await endedOf(stage.service, me)).inputs.mask).toBeTruthy();
        },
      },
      {
        name: 'settings reused for another prompt',
        path: '/library?q=lighth',
        work: async (page) => {
          await openTile(page, PROMPTS[0]!);
          await button(viewer(page), 'Use settings').click();
          await eventually(async () => (await prompt(page).inputValue()) === PROMPTS[0]);
          await prompt(page).click();
          await prompt(page).fill('a lighthouse at noon');
          const made = await pressGenerate(page);
          return async () => expect(await made()).toMatchObject({ prompt: 'a lighthouse at noon', parameters: SIZE });
        },
      },
      {
        name: 'four compared',
        path: '/library?sort=oldest',
        work: async (page, width) => {
          await selectTile(page, width, 0);
          for (const at of [1, 2, 3]) await tiles(page).nth(at).click();
          await button(page.getByRole('region', { name: 'Selection' }), 'Compare').click();
          const compared = page.getByRole('dialog', { name: 'Compare' }).getByRole('figure');
          await eventually(async () => (await compared.count()) === 4);
        },
      },
      {
        name: 'a preset saved and used',
        path: '/generate',
        work: async (page, width) => {
          const name = `Owls on a ${width}`;
          await openFields(page, width);
          await prompt(page).fill('an owl');
          await button(form(page), 'Save as preset').click();
          const saving = page.getByRole('dialog', { name: 'Save as preset' });
          await saving.getByRole('textbox', { name: 'Name' }).fill(name);
          await page.keyboard.press('Enter');
          await saving.waitFor({ state: 'detached' });
          await button(form(page), 'Presets').click();
          await button(page.getByRole('dialog', { name: 'Presets' }), new RegExp(`^${name}`)).click();
          const made = await pressGenerate(page);
          return async () => expect(await made()).toMatchObject({ prompt: 'an owl' });
        },
      },
      {
        name: 'forty put on another board',
        path: '/library?q=picture',
        work: async (page, width) => {
          await selectTile(page, width, 0);
          const selection = page.getByRole('region', { name: 'Selection' });
          await button(selection, 'Select all').click();
          await selection.getByText(`${MANY} items selected`).waitFor();
          await button(selection, /board/i).click();
          const dialog = page.getByRole('dialog', { name: 'Put on a board' });
          await button(dialog, 'Put on board').click();
          await page.getByText('Put on “Campaign”').waitFor();
          return () =>
            eventually(async () => {
              const [board] = (await call('GET', '/boards')).boards;
              return board.media_count > 0 && board.media_count % MANY === 0;
            });
        },
      },
      {
        name: 'a picture upscaled',
        path: '/library?q=lighth',
        work: async (page) => {
          await openTile(page, PROMPTS[0]!);
          await button(viewer(page), 'Upscale 2 credits').click();
          await page.getByText('Upscale: started for 2 credits').waitFor();
          return async () => expect((await newest()).model).toBe('larger');
        },
      },
      {
        name: 'a picture extended',
        path: '/library?q=lighth',
        work: async (page) => {
          await openTile(page, PROMPTS[0]!);
          await button(viewer(page), /^Edit$/).click();
          await button(page, 'Extend the picture').click();
          await button(page, 'Extend to 1:1').click();
          await button(page, 'Generate 6 credits').click();
          await button(page, 'Keep changing').waitFor();
        },
      },
      {
        name: 'a video of a result',
        path: '/library?q=lighth',
        work: async (page) => {
          await openTile(page, PROMPTS[0]!);
          await button(viewer(page), 'Animate 20 credits').click();
          await page.getByText('Animate: started for 20 credits').waitFor();
          return async () => expect((await newest()).model).toBe('local-video');
        },
      },
    ];

    itTakesFewClicks(
      stage,
      me,
      (page, path) => (path.startsWith('/library') ? tiles(page).first() : prompt(page)).waitFor(),
      tasks,
    );
  },
  models.env,
);
