/** @tier timings, 40 s */
import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { bodiesFor } from '../support/use-service.ts';
import { describeConsole } from './support/console.ts';
import { fillLibrary, generate, repeatGeneration } from './support/generations.ts';
import { longestTask, scroll } from './support/long-tasks.ts';
import { tiles } from './support/studio.ts';

describeConsole('a full studio', (stage) => {
  it('holds 10,000 pictures and 500 failures without a task of more than 100 ms', async () => {
    const me = await stage.service.signUp();
    const { id } = await generate(stage.service, me, { prompt: 'a fox', width: 256, height: 192 });
    const call = bodiesFor(stage, me);
    await eventually(async () => (await call('GET', '/v2/library')).items[0]?.thumbnails.length);
    await fillLibrary(stage.service, id, 9_999);
    const failed = await generate(stage.service, me, { model: 'local-video', image: 'http://10.0.0.1/a.png' });
    await repeatGeneration(stage.service, failed.id, 499);
    const page = await stage.open('/generate', { as: me });
    await tiles(page).first().waitFor();
    await page.getByRole('status').getByText('50 or more failed').waitFor();
    const readTo = async (rows: Locator, count: number) => {
      while (Number(await rows.first().getAttribute('aria-setsize')) < count) {
        await scroll(page, [{ down: 1_000_000 }]);
      }
    };
    // Faster than anybody scrolls: the browser would collect a hundred screens of old tiles in the middle of a task.
    await readTo(tiles(page), 9_500);
    const scrolled = async () => {
      await readTo(tiles(page), 10_000);
      for (const down of [-300, -900, -20_000, -1_000_000]) await scroll(page, [{ down }]);
      await scroll(page);
    };
    expect(await longestTask(page, scrolled)).toBeLessThan(100);
    expect(await tiles(page).count()).toBeLessThan(100);

    const failures = page.getByRole('list', { name: 'Failed generations' }).getByRole('listitem');
    const showAllFailed = async () => {
      await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
      await readTo(failures, 500);
      await scroll(page, [{ down: -20_000 }]);
    };
    expect(await longestTask(page, showAllFailed)).toBeLessThan(100);
    await page.getByRole('button', { name: 'Back to the pictures' }).press('Enter');
    await page.getByRole('button', { name: 'Dismiss all' }).press('Enter');
    await page.getByRole('status').getByText('failed').waitFor({ state: 'detached' });
  });
});
