/** @tier test, 20 s */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { describeConsole, WIDTHS } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem } from './support/pages.ts';
import { dropFiles, filesOnDisk, png } from './support/files.ts';
import { aLighthouse, aPainting } from './support/photos.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

describeConsole('trained styles', (stage) => {
  let folder: string;
  const user = prepared(() => stage.service.signUp());
  let pid: number;

  beforeAll(async () => {
    folder = await filesOnDisk({
      'painting.jpg': await aPainting(),
      'lighthouse.jpg': await aLighthouse(),
      'plain.png': await png('#b45309', 500, 300),
    });
    pid = (await call('GET', '/v2/personas')).personas[0].id;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const call = bodiesFor(stage, user);
  const fill = async (page: Page, slot: number, name: string) => {
    await dropFiles(page, [join(folder, name)], `[data-slot="${slot}"]`);
    await page.getByRole('button', { name: new RegExp(`^Slot ${slot}, .*: ready$`) }).waitFor();
  };
  const menu = (page: Page, name: string) => page.getByRole('button', { name: `What to do with the style “${name}”` });

  it('are trained on the slots in three clicks, with the price before, and used by generations', async () => {
    const page = await stage.open(`/personas/${pid}`, { as: user });
    await fill(page, 1, 'painting.jpg');
    await fill(page, 2, 'lighthouse.jpg');
    const train = page.getByRole('button', { name: 'Train a style' });
    await page.getByText('Fill one more of the slots 1 to 6 first.').waitFor();
    expect(await train.isDisabled()).toBe(true);
    await fill(page, 3, 'plain.png');
    await expectPresentable(page, 'styles-none');

    await train.click();
    await page.getByText('On 3 pictures, as they are now').waitFor();
    await page.getByLabel('Name').fill('Harbour oils');
    const start = page.getByRole('button', { name: /^Train for \d+ credits$/ });
    await start.waitFor();
    await start.click();
    const row = page.getByRole('listitem').filter({ hasText: 'Harbour oils' });
    await row.getByText('Active', { exact: true }).waitFor();
    await expectPresentable(page, 'styles-ready');

    await page.getByRole('link', { name: 'Generate with it' }).click();
    const style = page.getByRole('combobox', { name: 'Style' });
    await style.waitFor();
    expect(await style.inputValue()).toBe('Active: Harbour oils');
    await page.getByRole('button', { name: /^[0-9]+ pictures?$/ }).waitFor();
    // The prompt has at least half of the width beside all that can be chosen.
    const form = page.getByRole('form', { name: 'Generate' });
    for (const width of ['desk', 'phone'] as const) {
      await page.setViewportSize(WIDTHS[width]);
      const prompt = page.getByLabel('Prompt', { exact: true });
      await eventually(async () => {
        const [own, whole] = [(await prompt.boundingBox())!.width, (await form.boundingBox())!.width];
        return own >= whole / 2;
      });
    }
    await page.setViewportSize(WIDTHS.desk);
    await expectPresentable(page, 'generate-style');
    await style.click();
    await page.getByRole('option', { name: 'None', exact: true }).click();
    await page.getByRole('button', { name: 'Add pictures' }).waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('a house by the sea');
    await page.getByRole('button', { name: /^Generate/ }).click();
    const painted = await eventually(async () => {
      const { generations } = await call('GET', '/v2/generations');
      return generations.find(({ kind }: { kind: string }) => kind === 'image');
    });
    expect([painted.style, painted.inputs.style_reference]).toEqual([null, null]);
  });

  it('are put aside, chosen, renamed and deleted, and say that the slots have changed', async () => {
    const page = await stage.open(`/personas/${pid}`, { as: user });
    const active = async () => (await call('GET', `/v2/personas/${pid}`)).persona.active_style;
    await chooseItem(menu(page, 'Harbour oils'), 'Use no trained style');
    await page.getByText('Ready', { exact: true }).waitFor();
    expect(await active()).toBeNull();
    await chooseItem(menu(page, 'Harbour oils'), 'Make it the active one');
    await page.getByText('Active', { exact: true }).waitFor();
    await chooseItem(menu(page, 'Harbour oils'), 'Compare with and without…');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('a lighthouse');
    await page.getByRole('button', { name: 'Make both' }).click();
    await page.waitForURL(/\/batches\/\d+$/);
    const [made] = (await call('GET', '/v2/batches')).batches;
    const { cells } = await call('GET', `/v2/batches/${made.id}`);
    type Made = Record<'generation', { parameters: { seed: number }; style: { name: string } | null }>;
    const seeds = cells.map(({ generation }: Made) => generation.parameters.seed);
    const styles = cells.map(({ generation }: Made) => generation.style && generation.style.name);
    expect([styles, new Set(seeds).size]).toEqual([['Harbour oils', null], 1]);
    await page.goBack();
    await fill(page, 4, 'plain.png');
    await page.reload();
    await page.getByText('The slots have changed since').waitFor();

    await chooseItem(menu(page, 'Harbour oils'), 'Rename…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Coast');
    await page.getByRole('button', { name: 'Save' }).click();
    await menu(page, 'Coast').waitFor();
    expect(await active()).toMatchObject({ name: 'Coast' });
    await chooseItem(menu(page, 'Coast'), 'Delete…');
    await page.getByRole('button', { name: 'Delete style' }).click();
    await page.getByText('“Coast” is deleted').waitFor();
    await menu(page, 'Coast').waitFor({ state: 'hidden' });
    expect(await active()).toBeNull();
  });
});
