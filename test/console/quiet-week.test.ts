/** @tier deep, 120 s, about apps/console */
import { beforeAll, expect } from '@jest/globals';
import { X12 } from '#client';
import { eventually } from '../support/eventually.ts';
import { aVideo } from '../support/sample-video.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';
import { describeConsole } from './support/console.ts';
import { png } from './support/files.ts';
import { generate } from './support/generations.ts';
import { aBoardToShare } from './support/shares.ts';
import { button, openTile, selectTile, tiles, viewer } from './support/studio.ts';
import { itTakesFewClicks, type Task } from './support/tasks.ts';

/** Tasks of reviews and of a tidy day: each in a few clicks, by mouse and on a phone. */
describeConsole('a task of a quiet week', (stage) => {
  const team = prepared(() => teamOf(stage.service));
  const me = prepared(async () => team.owner);
  const colleague = prepared(() => team.member());
  const call = bodiesFor(stage, me);
  /** A board with two generated pictures that a colleague has asked to change, and one with two pictures and a video. */
  let [requests, ordered] = [0, 0];
  let video = '';

  beforeAll(async () => {
    await generate(stage.service, me, { prompt: 'a lighthouse at dawn', seed: 1 });
    await generate(stage.service, me, { model: 'local-video', image: 'http://10.0.0.1/a.png', prompt: 'nowhere' });
    requests = (await call('POST', '/boards', { name: 'Requests' })).board.id;
    for (const prompt of ['a pier in fog', 'a fox in snow']) {
      const { id, outputs } = await generate(stage.service, me, { prompt, seed: 2 });
      const extras = JSON.stringify({ generation_id: id, prompt });
      const { media } = await call('POST', `/boards/${requests}/media`, { url: outputs[0].url, extras });
      const changes = { decision: 'changes_requested', text: 'warmer light' };
      await bodiesFor(stage, colleague)('PUT', `/boards/${requests}/media/${media.id}/decision`, changes);
    }
    const { board, prepared: ready, share } = await aBoardToShare(stage, 0, me);
    ordered = board;
    for (const color of ['#3a7ca5', '#b45309']) {
      const url = await uploaded(stage.service, me, `${color.slice(1)}.png`, await png(color));
      await call('POST', `/boards/${board}/media`, { url });
    }
    const api = new X12({ baseUrl: stage.service.baseUrl, token: me.token });
    const bytes = await aVideo({ width: 320, height: 240, seconds: 2 });
    const { url } = await api.upload(new Uint8Array(bytes), { filename: 'film.mp4' });
    await call('POST', `/boards/${board}/media`, { url });
    await ready();
    video = (await share({ allow: [] })).path;
    await eventually(async () => (await call('GET', '/v2/inbox')).unread === 2);
  });

  const open = async () => (await call('GET', `/boards/${requests}/media?decision=open`)).media as { id: number }[];
  const tasks: readonly Task[] = [
    {
      name: 'a picture renamed',
      path: '/library?q=lighth',
      work: async (page, width) => {
        const name = `Harbour of the ${width}`;
        await tiles(page).first().click();
        await viewer(page).waitFor();
        await viewer(page).getByRole('button', { name: /^Name/ }).click();
        await page.keyboard.press('Control+a');
        await page.keyboard.type(name);
        await page.keyboard.press('Enter');
        return () => eventually(async () => (await call('GET', `/v2/library?q=${name}`)).items.length === 1);
      },
    },
    {
      name: 'it found by its name',
      path: '/library',
      work: async (page) => {
        await page.getByRole('searchbox').click();
        await page.getByRole('searchbox').fill('harb');
        await eventually(async () => (await tiles(page).count()) === 1);
        await openTile(page, 'Harbour');
      },
    },
    {
      name: 'failures dismissed',
      path: '/generate',
      work: async (page) => {
        const status = page.getByRole('status').filter({ hasText: 'ailed' });
        await status.getByRole('button', { name: /^Dismiss/ }).click();
        await status.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Undo' }).last().click();
        await status.waitFor();
      },
    },
    {
      name: 'an entry of the inbox answered',
      path: '/inbox',
      work: async (page, width) => {
        await page.getByText('asked for changes').first().click();
        await viewer(page).waitFor();
        if (width === 'phone') await button(viewer(page), 'Details').click();
        await viewer(page).getByLabel('Write a comment').click();
        await viewer(page).getByLabel('Write a comment').fill('Tomorrow.');
        await page.keyboard.press('Control+Enter');
        await viewer(page).getByText('Tomorrow.').first().waitFor();
      },
    },
    {
      name: 'a second round',
      path: () => `/boards/${requests}?decision=open`,
      work: async (page, width) => {
        const before = (await open()).length;
        await tiles(page).first().click();
        await viewer(page).waitFor();
        if (width === 'phone') await button(viewer(page), 'Details').click();
        await button(viewer(page), 'Try again').click();
        await button(viewer(page), 'Add “warmer light” to the prompt').click();
        await button(viewer(page), 'Make version 2').click();
        await page.getByText('Version 2 is in its place').waitFor();
        return async () => expect(await open()).toHaveLength(before - 1);
      },
    },
    {
      name: 'a video seen by a guest',
      path: () => video,
      work: async (page) => {
        await page.getByRole('group', { name: 'Gallery' }).getByRole('button').first().click();
        await eventually(() => page.evaluate<boolean>(`document.querySelector('video')?.readyState > 1`));
        await viewer(page).locator('video').click();
      },
    },
    {
      name: 'the order by hand',
      path: () => `/boards/${ordered}`,
      work: async (page, width) => {
        const names = () => tiles(page).allInnerTexts();
        const before = await names();
        await selectTile(page, width, 0);
        await button(page, 'Later').click();
        await eventually(async () => (await names())[0] !== before[0]);
      },
    },
    {
      name: 'all links of the workspace',
      path: '/',
      work: async (page, width) => {
        if (width === 'phone') await button(page, 'More').click();
        await page.getByRole('link', { name: 'Shares' }).click();
        await page.getByRole('list', { name: 'Links' }).getByRole('listitem').first().waitFor();
      },
    },
  ];

  itTakesFewClicks(stage, me, (page) => page.getByRole('main').first().waitFor(), tasks);
});
