/** @tier timings, 30 s */
import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { describeConsole } from './support/console.ts';
import { Film } from './support/film.ts';
import { openAsOperator } from './support/operators.ts';
import { expectPresentable } from './support/looks.ts';
import { aLighthouse } from './support/photos.ts';
import { countClicks, MOST_CLICKS } from './support/tasks.ts';
import { replicateModels } from './support/vendor-models.ts';

const KEY = 'r8_4f9a2c7d1e8b3a6f';
const TARGET = 'black-forest-labs/flux-2-pro';
const PROMPT = 'a lighthouse at dusk, oil painting';
const MOST_MS = 60_000;

const vendor = await startFakeReplicate({
  key: KEY,
  models: replicateModels(),
  picture: await sharp(await aLighthouse())
    .png()
    .toBuffer(),
});
afterAll(() => vendor.close());

describeConsole(
  'the first real model',
  (stage) => {
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const loaded = (page: Page) =>
      eventually(() =>
        page.evaluate<boolean>(`document.fonts.status === 'loaded' &&
          [...document.images].every((image) => image.complete && image.naturalWidth > 0)`),
      );

    it('takes a minute from the key in the clipboard to the picture of a member, by mouse, without file and restart', async () => {
      const { page, user: operator } = await openAsOperator(stage, '/');
      const member = await stage.open('/generate', { as: await stage.service.signUp() });
      await member.getByRole('heading', { name: 'Generate' }).waitFor();
      const film = await Film.begin('first-model');
      let waited = 0;
      /** The time of the pictures is nobody's. */
      const take = async (of: Page, name: string) => {
        const from = performance.now();
        await loaded(of);
        await film.take(of, name);
        waited += performance.now() - from;
      };
      const paste = async (text: string) => {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
        await page.keyboard.press('Control+V');
      };
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByText('Nothing runs at the moment.').waitFor();
      const begin = performance.now();

      await take(page, 'home');
      await page.getByRole('link', { name: 'Connect a model' }).click();
      await page.getByRole('radio', { name: 'New: Replicate' }).click();
      await page.getByLabel('Address of the API').fill(vendor.url);
      await page.getByLabel('Key', { exact: true }).click();
      await paste(KEY);
      await take(page, 'key');
      await press(page, 'Connect');
      await page.getByLabel('Name or address of the model').click();
      await paste(TARGET);
      await page.getByRole('textbox', { name: 'Cost in credits' }).fill('4');
      const form = page.getByRole('region', { name: 'What callers see' });
      await form.getByText('4 credits').waitFor();
      await take(page, 'form');
      await form.getByLabel('Prompt', { exact: true }).fill(PROMPT);
      await form.getByRole('button', { name: 'Try' }).click();
      await form.getByRole('img', { name: 'What the model made' }).waitFor();
      await take(page, 'tried');
      await press(page, 'Save model');
      await page.getByText('Flux 2 pro is ready to use').waitFor();
      await take(page, 'saved');

      await member.reload();
      await press(member, 'Model: Painter local · 4 credits each');
      await member.getByRole('button', { name: /^Flux 2 pro/ }).click();
      await member.getByLabel('Prompt', { exact: true }).fill(PROMPT);
      await member.getByRole('form', { name: 'Generate' }).getByText('4 credits', { exact: true }).waitFor();
      await member.getByRole('button', { name: 'Generate 4 credits' }).click();
      await member.getByRole('option', { name: PROMPT }).waitFor();
      const took = performance.now() - begin - waited;
      await take(member, 'made');

      expect(took).toBeLessThan(MOST_MS);
      const { body } = await stage.service.call('GET', '/v2/credits', { token: operator.token });
      expect(body.credits.available).toBe(body.credits.purchased);
    });

    it('adds the ticked models of a vendor once its key is saved, and says which one the vendor does not have', async () => {
      vendor.missing.add('lucataco/remove-bg');
      const { page } = await openAsOperator(stage, '/operator?part=models&connect=true');
      const clicked = await countClicks(page);
      await page.getByRole('radio', { name: 'New: Replicate' }).click();
      // The fake's address: that of the vendor stands there.
      await page.getByLabel('Address of the API').fill(vendor.url);
      await page.getByLabel('Key', { exact: true }).click();
      await page.keyboard.type(KEY);
      await press(page, 'Connect');

      const starters = page.getByRole('region', { name: 'Or begin with these' });
      await starters.getByRole('checkbox', { name: 'Clarity upscaler', checked: true }).waitFor();
      await starters.getByText('Upscale · 6 credits').waitFor();
      await starters.getByText('Target is not known to the vendor').waitFor();
      await expectPresentable(page, 'starter-models');
      await press(page, 'Add 2 models');
      await eventually(async () => (await starters.getByText('Added', { exact: true }).count()) === 2);
      expect(await clicked()).toBeLessThanOrEqual(MOST_CLICKS);
      expect(await starters.getByRole('checkbox', { disabled: true }).count()).toBe(3);

      const { body } = await stage.service.call('GET', '/v2/models', { token: (await stage.service.signUp()).token });
      const names = body.models.map(({ id }: { readonly id: string }) => id);
      expect(names).toEqual(expect.arrayContaining(['flux-2-flex', 'clarity-upscaler']));
    });
  },
  { SECRET_KEY: randomBytes(32).toString('base64') },
);
