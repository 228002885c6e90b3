/** @tier deep, 30 s, about apps/console */
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { startEditModels, UPSCALER } from './support/editing.ts';
import { generate } from './support/generations.ts';

const models = await startEditModels([UPSCALER]);
afterAll(() => models.close());

describeConsole(
  'one click on an output',
  (stage) => {
    const tasks = (page: Pick<Page, 'getByRole'>) => page.getByRole('group', { name: 'Go on from this picture' });
    const generations = async ({ token }: TestUser) =>
      (await stage.service.call('GET', '/v2/generations', { token })).body.generations;
    const withOutput = async () => {
      const user = await stage.service.signUp();
      const made = await generate(stage.service, user, { prompt: 'a fox', width: 256, height: 192 });
      return { user, id: made.id as number, url: made.outputs[0].url as string };
    };

    itOnEach(
      'goes on from it with what the models of the catalogue can do, for the price on the button, on a %s',
      async (width) => {
        const { user, id, url } = await withOutput();
        const page = await stage.open('/generate', { as: user, width });
        await page.getByRole('option', { name: 'a fox' }).click();
        for (const name of ['Vary 4 credits', 'Upscale 2 credits', 'Animate 20 credits']) {
          await tasks(page).getByRole('button', { name }).waitFor();
        }
        await page.mouse.move(0, 0);
        await expectPresentable(page, 'one-click', [width]);
        await tasks(page).getByRole('button', { name: 'Vary 4 credits' }).click();
        await page.getByText('Vary: started for 4 credits').waitFor();
        await eventually(async () => (await generations(user)).length === 2);
        const [variation] = await generations(user);
        expect(variation).toMatchObject({ model: 'local-image', prompt: 'a fox', cost: 4, inputs: { image: url } });
        expect(variation.parent).toEqual({ generation_id: id, output: 0 });
      },
    );

    it('can be undone for some seconds, and charges nothing then', async () => {
      const { user } = await withOutput();
      const page = await stage.open('/library', { as: user });
      await page.getByRole('option', { name: /a fox/ }).first().click();
      await stage.service.stopWorker();
      await tasks(page).getByRole('button', { name: 'Animate 20 credits' }).click();
      await page.getByText('Animate: started for 20 credits').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await eventually(async () => (await generations(user))[0].state === 'canceled');
      await stage.service.startWorker();
      const { body } = await stage.service.call('GET', '/v2/credits', { token: user.token });
      expect(body.credits.used).toBe(4);
    });

    it('goes on from the output also when it is quicker than what tells that it is one', async () => {
      const { user, id, url } = await withOutput();
      const page = await stage.open('/library', { as: user });
      const late = Promise.withResolvers<void>();
      await page.route(`**/v2/generations/${id}`, (route) => late.promise.then(() => route.continue()));
      const asked = page.waitForRequest(`**/v2/generations/${id}`);
      await page.getByRole('option', { name: /a fox/ }).first().click();
      await asked;
      await tasks(page).getByRole('button', { name: 'Vary 4 credits' }).click();
      await page.keyboard.press('e');
      late.resolve();
      await page.waitForURL(/\/edit\?/);
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('image'), searchParams.get('parent')]).toEqual([url, `${id}-0`]);
      await eventually(async () => (await generations(user)).length === 2);
      expect((await generations(user))[0].parent).toEqual({ generation_id: id, output: 0 });
    });

    it('starts twice only when it is pressed twice, and is a tile in Generate', async () => {
      const { user } = await withOutput();
      const page = await stage.open('/generate', { as: user });
      await page.getByRole('option', { name: 'a fox' }).click();
      const viewer = page.getByRole('dialog', { name: 'Viewer' });
      await tasks(viewer).getByRole('button', { name: 'Vary 4 credits' }).waitFor();
      await expectPresentable(page, 'one-click-viewer');
      await stage.service.stopWorker();
      await tasks(viewer).getByRole('button', { name: 'Vary 4 credits' }).dblclick();
      await page.getByText('Vary: started for 4 credits').waitFor();
      await page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      await page.getByRole('article', { name: 'Painter: a fox' }).waitFor();
      await stage.service.startWorker();
      await eventually(async () => (await page.getByRole('option', { name: 'a fox' }).count()) === 2);
      expect(await generations(user)).toHaveLength(2);
    });
  },
  models.env,
);
