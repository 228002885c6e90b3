/** @tier deep, 76 s, about apps/console */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectFocused, openComposer } from './support/pages.ts';
import { fillBatch } from './support/generations.ts';
import { longestTask, scroll } from './support/long-tasks.ts';
import { downloadOf } from './support/files.ts';

const SMALL = { width: [128], height: [128] };

describeConsole('batches', (stage) => {
  const call = async ({ token }: Pick<TestUser, 'token'>, method: string, path: string, json?: object) =>
    (await stage.service.call(method, path, { token, json })).body;
  const batchOf = async (user: TestUser, id: number) => (await call(user, 'GET', `/v2/batches/${id}?limit=200`)) ?? {};
  const ended = (user: TestUser, id: number) =>
    eventually(async () => {
      const read = await batchOf(user, id);
      return read.batch.state === 'ended' && read;
    });
  const create = async (user: TestUser, matrix: object): Promise<number> => {
    const { batch } = await call(user, 'POST', '/v2/batches', { name: 'Animals', matrix });
    return batch.id;
  };
  /** Fails the waiting cell of a paused batch, as a worker would. */
  const fail = (batch: number, cell: number) =>
    stage.service.database.query(
      `update generations set state = 'failed', error_code = 'provider_unavailable',
         error = 'the provider is not available', started_at = now(), finished_at = now()
       where batch_id = $1 and cell = $2 and state = 'queued'`,
      [batch, cell],
    );

  const panel = (page: Page) => page.getByRole('dialog', { name: 'Batch' });
  const results = (page: Page) => page.getByRole('grid', { name: 'Results of the batch' });
  const cells = (page: Page) => results(page).getByRole('gridcell');
  const rowHeads = (page: Page) => results(page).getByRole('rowheader');
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
  const tags = (page: Page, name: string) => panel(page).getByLabel(name, { exact: true }).and(page.locator('input'));
  const price = (page: Page, text: string) => panel(page).getByText(text, { exact: true }).waitFor();
  const idOf = (page: Page) => Number(/batches\/(\d+)/.exec(page.url())?.[1]);
  const tick = async (box: Locator, byKeys: boolean) => {
    if (!byKeys) return box.click();
    await box.focus();
    await box.press('Space');
  };

  async function openPanel(user: TestUser, width: 'phone' | 'desk') {
    const page = await stage.open('/generate', { as: user, width });
    const prompt = page.getByRole('textbox', { name: 'Prompt' }).first();
    // The form begins with a first prompt, once it is known that nothing has been generated yet.
    await eventually(async () => (await prompt.inputValue()) !== '');
    await prompt.fill('a {animal} in the snow');
    await openComposer(page);
    for (const side of ['Width', 'Height']) await page.getByRole('textbox', { name: side }).fill('128');
    await page.getByRole('button', { name: 'Batch', exact: true }).first().press('Enter');
    await panel(page).waitFor();
    return page;
  }

  itOnEach('are filled in, priced, run, paused, looked at, rated and retried, on a %s', async (width) => {
    const byKeys = width === 'desk';
    const user = await stage.service.signUp();
    for (const name of ['Ada', 'Bob']) await call(user, 'POST', '/v2/personas', { name });
    const page = await openPanel(user, width);
    const prompts = panel(page).getByRole('textbox', { name: /^Prompts/ });
    await price(page, 'Not complete yet');
    expect(await prompts.inputValue()).toBe('a {animal} in the snow');
    const animal = tags(page, '{animal}');
    await animal.fill('fox');
    await animal.press('Enter');
    await price(page, '4 pictures · 16 credits');
    await animal.fill('hare');
    await animal.press('Enter');
    await price(page, '8 pictures · 32 credits');
    await prompts.fill('a {animal} in the snow\na lake');
    await price(page, '12 pictures · 48 credits');
    await tick(panel(page).getByRole('checkbox', { name: 'Ada' }), byKeys);
    await tick(panel(page).getByRole('checkbox', { name: 'Bob' }), byKeys);
    await price(page, '24 pictures · 96 credits');
    await expectPresentable(page, 'batch-panel', [width]);

    // The draft is there again after a reload, if the form is as it was.
    await page.reload();
    await openComposer(page);
    await page.getByRole('button', { name: 'Batch', exact: true }).first().press('Enter');
    await price(page, '24 pictures · 96 credits');
    if (byKeys) {
      await prompts.press('Control+Enter');
    } else {
      await panel(page).getByRole('button', { name: 'Run the batch' }).click();
    }
    await results(page).waitFor();
    const id = idOf(page);

    // Paused before all are made, one fails; it is retried, and all are made.
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await eventually(async () => (await batchOf(user, id)).batch.cells.running === 0);
    await eventually(async () => (await rowHeads(page).count()) === 3);
    expect(await rowHeads(page).allInnerTexts()).toEqual([
      expect.stringContaining('a fox in the snow'),
      expect.stringContaining('a hare in the snow'),
      'a lake',
    ]);
    await fail(id, 24);
    const toLast = async () => {
      await results(page).focus();
      for (const key of ['PageDown', 'End']) await page.keyboard.press(key);
    };
    await toLast();
    const failed = cells(page).filter({ has: page.getByRole('button', { name: /^Retry:/ }) });
    await failed.waitFor();
    expect(await failed.getAttribute('aria-label')).toMatch(/^a lake, Bob, Seed \d+, The provider is not available$/);
    await page.getByText('1 failed', { exact: true }).waitFor();
    await expectPresentable(page, 'batch-paused', [width]);
    // A wide wall of a screenshot has no rest to scroll to.
    await toLast();
    if (byKeys) await page.keyboard.press('r');
    else await failed.getByRole('button').click();
    await failed.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Resume' }).press('Enter');
    await page.getByText('24 done', { exact: true }).waitFor();
    const { batch } = await ended(user, id);
    expect(batch).toMatchObject({ cells: { succeeded: 24, failed: 0 }, axes: expect.any(Array) });
    await page.getByText('96 of 96 credits used').waitFor();
    await expectPresentable(page, 'batch-results', [width]);

    // A cell opens on the stage; arrows go through the grid.
    await results(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Enter');
    await viewer(page).getByText('1 of 24').first().waitFor();
    await page.keyboard.press('5');
    await page.keyboard.press('ArrowRight');
    await viewer(page).getByText('2 of 24').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await viewer(page).getByText('10 of 24').first().waitFor();
    await expectPresentable(page, 'batch-stage', [width]);
    await page.keyboard.press('Escape');
    await viewer(page).waitFor({ state: 'detached' });
    await expectFocused(results(page));
    await page.keyboard.press('3');
    const stars = async () => {
      const { items } = await call(user, 'GET', '/v2/library?rating=1');
      return items.map(({ rating }: { rating: number }) => rating).sort();
    };
    await eventually(async () => (await stars()).join() === '3,5');
    await cells(page)
      .and(page.getByLabel(/a fox in the snow, Ada, Seed \d+, 5 stars/))
      .waitFor();

    await page.getByRole('combobox', { name: 'Shown pictures' }).click();
    await page.getByRole('option', { name: '4 stars and more' }).click();
    await eventually(async () => (await cells(page).count()) === 1);
    await expectPresentable(page, 'batch-best', [width]);
    await page.getByRole('combobox', { name: 'Shown pictures' }).click();
    await page.getByRole('option', { name: 'All pictures' }).click();
    // A click: the list of choices gives the focus back a moment after it has closed.
    await page.getByRole('button', { name: 'Keep rated' }).click();
    const question = page.getByRole('dialog', { name: 'Keep only rated pictures?' });
    await question.getByText(/^22 pictures without a rating .* to the trash. 2 with a rating will stay.$/).waitFor();
    await expectPresentable(page, 'batch-keep', [width]);
    await question.getByRole('button', { name: 'Move 22 pictures to the trash' }).click();
    await page.getByText('Moved 22 pictures to the trash').waitFor();
    const left = async () => {
      const read = await batchOf(user, id);
      return read.cells.filter(({ output }: { output: object | null }) => output !== null).length as number;
    };
    expect(await left()).toBe(2);
    await cells(page)
      .and(page.getByLabel(/Deleted$/))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await left()) === 24);
    await cells(page)
      .and(page.getByLabel(/Deleted$/))
      .first()
      .waitFor({ state: 'detached' });
    const download = await downloadOf(page, page.getByRole('button', { name: 'CSV' }).click());
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(25);
  });

  it('are refused at the field that is wrong: too many pictures, too few credits, a wrong cell', async () => {
    const user = await stage.service.signUp();
    const page = await openPanel(user, 'desk');
    const run = panel(page).getByRole('button', { name: 'Run the batch' });
    await price(page, 'Not complete yet');
    await run.click();
    await panel(page).getByText('The variables must have animal, which a prompt uses.').waitFor();

    const field = (name: string) => panel(page).getByRole('textbox', { name });
    await tags(page, '{animal}').fill('fox');
    await tags(page, '{animal}').press('Enter');
    await panel(page).getByRole('textbox', { name: 'Number of seeds' }).fill('1001');
    await panel(page).getByText('Seeds must be an integer from 1 to 1000.').waitFor();
    await panel(page).getByRole('textbox', { name: 'Number of seeds' }).fill('30');
    await price(page, '30 pictures · 120 credits');
    await panel(page).getByText('Only 100 left this month').waitFor();
    await run.click();
    await panel(page)
      .getByText('The batch costs 120 credits, and the workspace has 100: enough for 25 of 30 cells')
      .waitFor();
    await expectPresentable(page, 'batch-short');

    await panel(page).getByRole('textbox', { name: 'Number of seeds' }).fill('1000');
    await field('Prompts').fill('{a} {b} {c}');
    const hundred = Array.from({ length: 100 }, (_, at) => `v${at}`).join(',');
    for (const name of ['{a}', '{b}', '{c}']) {
      await tags(page, name).fill(hundred);
      await tags(page, name).press('Enter');
    }
    await panel(page).getByText('A batch must have at most 1000 cells: this has 1000000000.').waitFor();
    await expectPresentable(page, 'batch-too-many');

    await field('Prompts').fill('a lake');
    await panel(page).getByText('List', { exact: true }).click();
    await tags(page, 'Seeds to use').fill('-1');
    await tags(page, 'Seeds to use').press('Enter');
    await panel(page)
      .getByText(/^Picture 1: seed must be/)
      .waitFor();
    expect((await call(user, 'GET', '/v2/batches')).batches).toEqual([]);
  });

  it('are listed, followed while another client changes them, and canceled', async () => {
    const user = await stage.service.signUp();
    const page = await stage.open('/batches', { as: user });
    await page.getByText('No batch yet').waitFor();
    await expectAccessible(page);
    const id = await create(user, { models: ['local-image'], prompts: ['a lake'], parameters: SMALL, seeds_count: 20 });
    await call(user, 'POST', `/v2/batches/${id}/pause`);
    await page.reload();
    await page.getByRole('link', { name: 'Animals' }).waitFor();
    await expectPresentable(page, 'batches');
    await page.getByRole('link', { name: 'Animals' }).press('Enter');
    await page.getByRole('button', { name: 'Resume' }).waitFor();

    // Without the network nothing changes; then the stream goes on.
    await page.context().setOffline(true);
    await call(user, 'POST', `/v2/batches/${id}/resume`);
    await eventually(async () => (await batchOf(user, id)).batch.cells.succeeded > 0);
    await call(user, 'POST', `/v2/batches/${id}/pause`);
    await page.context().setOffline(false);
    await eventually(async () => (await results(page).locator('img').count()) > 0);
    await page.getByRole('button', { name: 'Resume' }).waitFor();

    await page.getByRole('button', { name: 'Cancel the batch' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Cancel the batch?' });
    await question.getByText(/will not be made, and the credits come back/).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByText(/^\d+ canceled$/).waitFor();
    await ended(user, id);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('batch');
    await page.getByRole('dialog').getByText('Batches', { exact: true }).waitFor();
  });

  it('of 1,000 pictures scroll without a long task', async () => {
    const user = await stage.service.signUp();
    const matrix = {
      models: ['local-image'],
      prompts: ['a lake {n}'],
      variables: { n: ['1'] },
      parameters: SMALL,
      seeds: [1],
    };
    const id = await create(user, matrix);
    await ended(user, id);
    await fillBatch(stage.service, id, { rows: 50, columns: 20 });
    const page = await stage.open(`/batches/${id}`, { as: user });
    await page.getByText('1,000 done', { exact: true }).waitFor();
    await eventually(async () => (await results(page).getAttribute('aria-rowcount')) === '51');
    await eventually(async () => (await results(page).getAttribute('aria-colcount')) === '21');
    const steps = Array.from({ length: 120 }, (_, at) => ({ down: 65, across: at % 6 === 5 ? 120 : 0 }));
    const scrolled = () => scroll(page, steps, 'document.querySelector("[role=grid]")');
    expect(await longestTask(page, scrolled)).toBeLessThan(100);
    expect(await cells(page).count()).toBeLessThan(200);
  });
});
