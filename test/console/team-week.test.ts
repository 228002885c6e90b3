/** @tier deep, 80 s, about apps/console */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';
import { describeConsole, type Width } from './support/console.ts';
import { chooseFiles, downloadOf, filesOnDisk, png } from './support/files.ts';
import { generate } from './support/generations.ts';
import { aBoardToShare } from './support/shares.ts';
import { button, form, openTile, prompt, rate, selectTile, tiles, viewer } from './support/studio.ts';
import { itTakesFewClicks, type Task } from './support/tasks.ts';

const COLOURS = ['#3a7ca5', '#b45309', '#7b2d43'];
const SIZE = { width: 320, height: 240 };
const SIZE_OF_CELLS = { width: [128], height: [128] };
const PROMPTS = ['a lighthouse at dawn', 'a fox in the snow'];

/** Tasks around the pictures of a team: each in a few clicks, by mouse and on a phone. */
describeConsole('a task of a team’s week', (stage) => {
  const team = prepared(() => teamOf(stage.service));
  const me = prepared(async () => team.owner);
  const call = bodiesFor(stage, me);
  const at = { persona: 0, board: 0, shared: 0 };
  let [guests, folder] = ['', ''];

  beforeAll(async () => {
    await team.member();
    folder = await filesOnDisk({ 'one.png': await png('#264653'), 'two.png': await png('#e9c46a') });
    for (const [seed, text] of PROMPTS.entries()) await generate(stage.service, me, { prompt: text, seed, ...SIZE });
    at.persona = (await call('POST', '/v2/personas', { name: 'Harbour' })).persona.id;
    for (const [index, colour] of COLOURS.entries()) {
      const photo = await uploaded(stage.service, me, `look-${index + 1}.png`, await png(colour), at.persona);
      await call('POST', `/v2/personas/${at.persona}/trains`, { photo, slot: index + 1 });
    }
    const styles = `/v2/personas/${at.persona}/styles`;
    await call('POST', styles, { model: 'local-style', name: 'Harbour oils' });
    await eventually(async () => (await call('GET', styles)).styles[0]?.state === 'ready');
    const [{ board }, shared] = [await aBoardToShare(stage, 4, me), await aBoardToShare(stage, 4, me)];
    at.board = board;
    at.shared = shared.board;
    guests = (await shared.share()).path;
    await call('POST', `/boards/${board}/folders`, { name: 'Drafts' });
    for (const width of ['phone', 'desk'] as const) {
      const matrix = { models: ['local-image'], prompts: ['an owl'], parameters: SIZE_OF_CELLS, seeds: [1, 2, 3] };
      const { batch } = await call('POST', '/v2/batches', { name: `Owls on a ${width}`, matrix });
      await eventually(async () => (await call('GET', `/v2/batches/${batch.id}`)).batch.state === 'ended');
      const { board: old } = await call('POST', '/boards', { name: `Old board of the ${width}` });
      await call('DELETE', `/boards/${old.id}`);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const selection = (page: Page) => page.getByRole('region', { name: 'Selection' });
  const selectTwo = async (page: Page, width: Width) => {
    await selectTile(page, width, 0);
    await tiles(page).nth(1).click();
  };

  const tasks: readonly Task[] = [
    {
      name: 'a persona made',
      path: '/personas',
      work: async (page, width) => {
        await button(page, 'New persona').click();
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Ada on a ${width}`);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: `Ada on a ${width}`, level: 1 }).waitFor();
      },
    },
    {
      name: 'a slot filled from a file',
      path: () => `/personas/${at.persona}`,
      work: async (page, width) => {
        const slot = (state: string) =>
          page.getByRole('button', { name: new RegExp(`^Slot ${width === 'phone' ? 7 : 4}, .*: ${state}$`) });
        await chooseFiles(page, slot('empty').click(), join(folder, 'one.png'));
        await slot('ready').waitFor();
      },
    },
    {
      name: 'a result put into a slot',
      path: '/library?q=lighth',
      work: async (page, width) => {
        await openTile(page, PROMPTS[0]!);
        await button(viewer(page), 'To slot…').click();
        const dialog = page.getByRole('dialog', { name: 'Use as slot' });
        await dialog.getByRole('radio', { name: `Slot ${width === 'phone' ? 5 : 6}, Reference, empty` }).click();
        await button(dialog, 'Use picture').click();
        await page.getByText(/^In slot \d of /).waitFor();
      },
    },
    {
      name: 'a trained style compared with none',
      path: () => `/personas/${at.persona}`,
      work: async (page) => {
        await page.getByRole('button', { name: 'What to do with the style “Harbour oils”' }).click();
        await page.getByRole('menuitem', { name: 'Compare with and without…' }).click();
        await page.getByRole('textbox', { name: 'Prompt' }).fill('a pier');
        await button(page, 'Make both').click();
        await page.getByRole('grid', { name: 'Results of the batch' }).waitFor();
      },
    },
    {
      name: 'a picture in the look of a persona',
      path: '/generate',
      work: async (page, width) => {
        await prompt(page).click();
        await prompt(page).fill(`a quay by the ${width}`);
        await form(page).getByRole('combobox', { name: 'Persona' }).click();
        await page.getByRole('option', { name: 'Harbour', exact: true }).click();
        await form(page)
          .getByRole('button', { name: /^Generate/ })
          .click();
        const made = async () => (await call('GET', '/v2/generations')).generations[0];
        await eventually(async () => (await made()).prompt === `a quay by the ${width}`);
        return async () => expect(await made()).toMatchObject({ pid: at.persona, style: { name: 'Harbour oils' } });
      },
    },
    {
      name: 'two files uploaded',
      path: '/uploads',
      work: async (page) => {
        const files = ['one.png', 'two.png'].map((name) => join(folder, name));
        await chooseFiles(page, button(page, 'Choose files').click(), ...files);
        await page.getByText('2 of 2 uploaded').waitFor();
      },
    },
    {
      name: 'a picture rated and tagged',
      path: '/library?q=fox',
      work: async (page, width) => {
        await openTile(page, PROMPTS[1]!);
        if (width === 'phone') await button(viewer(page), 'Details').click();
        await rate(page, '4 stars');
        await viewer(page).getByLabel('Tags').click();
        await page.keyboard.type(`blue ${width}`);
        await page.keyboard.press('Enter');
        return () => eventually(async () => (await call('GET', `/v2/library?tag=blue ${width}`)).items.length === 1);
      },
    },
    {
      name: 'two downloaded as a zip',
      path: '/library?q=a',
      work: async (page, width) => {
        await selectTwo(page, width);
        const file = await downloadOf(page, button(selection(page), 'Download').click());
        expect(file.suggestedFilename()).toMatch(/\.zip$/);
      },
    },
    {
      name: 'the best of a batch kept',
      path: '/batches',
      work: async (page, width) => {
        await page.getByRole('link', { name: `Owls on a ${width}` }).click();
        await page.getByRole('gridcell').nth(1).click();
        if (width === 'phone') await button(viewer(page), 'Details').click();
        await rate(page, '5 stars');
        await page.keyboard.press('Escape');
        await button(page, 'Keep rated').click();
        await button(
          page.getByRole('dialog', { name: 'Keep only rated pictures?' }),
          'Move 2 pictures to the trash',
        ).click();
        await page.getByText('Moved 2 pictures to the trash').waitFor();
      },
    },
    {
      name: 'two moved into a folder',
      path: () => `/boards/${at.board}`,
      work: async (page, width) => {
        await tiles(page).nth(3).waitFor();
        const before = await tiles(page).count();
        await selectTwo(page, width);
        await button(selection(page), 'Move to').click();
        await page.getByRole('dialog').getByText('Drafts').click();
        await page.getByText('Moved 2 items to Drafts').waitFor();
        await eventually(async () => (await tiles(page).count()) === before - 2);
        await button(page, 'Undo').click();
        await eventually(async () => (await tiles(page).count()) === before);
      },
    },
    {
      name: 'what was made put on a board',
      path: () => `/boards/${at.board}`,
      work: async (page) => {
        await button(page, 'Add').click();
        await page.getByRole('menuitem', { name: 'From the library, personas or the web…' }).click();
        const picker = page.getByRole('dialog', { name: 'Add to this board' });
        await picker.getByRole('button', { name: PROMPTS[0]! }).first().click();
        await button(picker, /^(Use|Add)/).click();
        await page.getByText('Added 1 item').waitFor();
      },
    },
    {
      name: 'a link with a password made',
      path: () => `/boards/${at.board}`,
      work: async (page) => {
        const dialog = page.getByRole('dialog', { name: /^(Share|The link is ready)/ });
        await page.getByRole('main').getByRole('button', { name: 'Share…' }).click();
        await dialog.getByRole('switch', { name: 'Ask for a password' }).click();
        await button(dialog, 'Make one').click();
        await button(dialog, 'Make the link').click();
        await dialog.getByLabel('Link', { exact: true }).waitFor();
      },
    },
    {
      name: 'two approved by a guest',
      path: () => guests,
      work: async (page, width) => {
        const gallery = page.getByRole('group', { name: 'Gallery' }).getByRole('button');
        const first = width === 'phone' ? 0 : 2;
        await gallery.nth(first).click();
        await button(viewer(page), 'Approve').click();
        await page.getByRole('textbox', { name: 'Name' }).fill('Rosa');
        await page.keyboard.press('Enter');
        await viewer(page)
          .getByText(`${first + 2} of 4`)
          .waitFor();
        await button(viewer(page), 'Approve').click();
        await eventually(async () => {
          const { media } = await call('GET', `/boards/${at.shared}/media?decision=approved`);
          return media.length === first + 2;
        });
      },
    },
    {
      name: 'a colleague invited',
      path: '/team',
      work: async (page, width) => {
        await button(page, 'Invite').click();
        await page.getByRole('textbox', { name: 'E-mail' }).fill(`new-${width}@example.com`);
        await page.keyboard.press('Enter');
        await page.getByText(`new-${width}@example.com`).first().waitFor();
      },
    },
    {
      name: 'a colleague made an admin',
      path: '/team',
      work: async (page) => {
        await page
          .getByRole('row', { name: /Member/ })
          .getByRole('button', { name: /^Actions for/ })
          .click();
        await page.getByRole('menuitem', { name: 'Make an admin' }).click();
        await page.getByText(/is now an admin\.$/).waitFor();
        await button(page, 'Undo').click();
        await page.getByRole('row', { name: /Member/ }).waitFor();
      },
    },
    {
      name: 'the credits of each member as a file',
      path: '/usage',
      work: async (page) => {
        await page.getByText('Members', { exact: true }).click();
        const file = await downloadOf(page, button(page, 'Download CSV').click());
        expect(file.suggestedFilename()).toMatch(/-by-member\.csv$/);
      },
    },
    {
      name: 'a deleted board restored',
      path: '/trash',
      work: async (page, width) => {
        await button(page, `Actions for Old board of the ${width}`).click();
        await page.getByRole('menuitem', { name: 'Restore' }).click();
        await page.getByText(`“Old board of the ${width}” is back`).waitFor();
      },
    },
  ];

  itTakesFewClicks(stage, me, (page) => page.getByRole('main').first().waitFor(), tasks);
});
