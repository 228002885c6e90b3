/**
 * Rounds of review, from a request for changes to the answer. The viewer, the guest's page and what they load need a browser.
 *
 * @tier deep, 60 s, about apps/console
 */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { generate } from './support/generations.ts';
import { expectPresentable } from './support/looks.ts';
import { aBoardToShare } from './support/shares.ts';

describeConsole('a round of review', (stage) => {
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });

  /** A board with one generated picture, of which a guest has asked for changes. */
  async function aRequest(width: Width) {
    const { owner, call, board, share, decisions } = await aBoardToShare(stage, 0);
    const { id: from, outputs } = await generate(stage.service, owner, { prompt: 'a lighthouse at dusk', seed: 7 });
    const extras = JSON.stringify({ generation_id: from, prompt: 'a lighthouse at dusk' });
    await call('POST', `/boards/${board}/media`, { url: outputs[0].url, extras });
    const { path } = await share();
    const guest = await stage.visit(path, { width });
    await guest.getByRole('group', { name: 'Gallery' }).getByRole('button').first().click();
    await viewer(guest).getByRole('button', { name: 'Ask for changes' }).click();
    await guest.getByRole('textbox', { name: 'Name' }).fill('Rosa');
    await guest.getByRole('button', { name: 'Continue' }).click();
    await viewer(guest).getByLabel('What should change? (optional)').fill('warmer light');
    await viewer(guest).getByRole('button', { name: 'Send' }).first().click();
    await viewer(guest).getByText('Sent', { exact: true }).waitFor();
    const shown = async () => (await call('GET', `/boards/${board}`)).board.media[0];
    await eventually(async () => (await shown()).changes_open === true);
    const page = await stage.open(`/boards/${board}?media=${(await shown()).id}`, { as: owner, width });
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).click();
    await viewer(page).getByText('warmer light').first().waitFor();
    return { page, guest, path, call, board, shown, decisions };
  }

  itOnEach('is answered by a version with the words of the guest, who sees what is new, on a %s', async (width) => {
    const { page, guest, shown, call, board, decisions } = await aRequest(width);
    const { id: first } = await shown();
    await viewer(page).getByRole('button', { name: 'Try again' }).click();
    await viewer(page).getByRole('button', { name: 'Add “warmer light” to the prompt' }).click();
    expect(await viewer(page).getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe(
      'a lighthouse at dusk, warmer light',
    );
    await expectPresentable(page, `try-again-on-${width}`, [width]);
    await viewer(page).getByRole('button', { name: 'Make version 2' }).click();
    await page.getByText('Version 2 is in its place').waitFor();
    const next = await shown();
    expect(next).toMatchObject({ version: 2, versions: [first, next.id], decision: 'none', changes_open: false });
    expect(JSON.parse(next.extras)).toMatchObject({ prompt: 'a lighthouse at dusk, warmer light' });
    const versions = viewer(page).getByRole('radiogroup', { name: 'Versions' });
    await versions.getByText('v1').click();
    await viewer(page).getByText('A newer version has replaced this one.').waitFor();
    await viewer(page).getByText('warmer light').first().waitFor();
    await expectPresentable(page, `earlier-version-on-${width}`, [width]);

    await guest.reload();
    if ((await viewer(guest).count()) > 0) await viewer(guest).getByRole('button', { name: 'Close' }).click();
    await guest.getByRole('button', { name: /New version/ }).waitFor();
    await expectPresentable(guest, `new-version-on-${width}`, [width]);
    await guest.getByRole('group', { name: 'Gallery' }).getByRole('button').first().click();
    await viewer(guest).getByRole('button', { name: 'Version 1' }).click();
    await viewer(guest).getByText('An earlier version: changes asked for.').waitFor();
    expect(await viewer(guest).getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await viewer(guest).getByRole('button', { name: 'Version 2' }).click();
    await expectPresentable(guest, `version-of-guest-on-${width}`, [width]);
    await viewer(guest).getByRole('button', { name: 'Approve' }).click();
    await eventually(async () => (await decisions(next.id))[0]?.decision === 'approved');
    expect((await call('GET', `/boards/${board}/media/${first}/decisions`)).decisions).toHaveLength(2);
    await viewer(guest).getByRole('button', { name: 'Close' }).click();
    await guest.getByRole('button', { name: /Approved/ }).waitFor();
    expect(await guest.getByRole('button', { name: /New version/ }).count()).toBe(0);
  });

  itOnEach('is found by its filter, answered by another picture, or closed, on a %s', async (width) => {
    const { page, shown, call, board, decisions } = await aRequest(width);
    const { id: first } = await shown();
    await viewer(page).getByRole('button', { name: 'Other picture…' }).click();
    const picker = page.getByRole('dialog', { name: 'Version 2' });
    await picker
      .getByRole('button', { name: /lighthouse/ })
      .first()
      .click();
    await eventually(async () => (await shown()).version === 2);
    const { id: next } = await shown();
    expect(await decisions(next)).toEqual([]);
    await call('PUT', `/boards/${board}/media/${next}/decision`, { decision: 'changes_requested' });
    await page.goto(`/console/boards/${board}?decision=open`);
    await page.getByRole('option', { name: /v2, Changes asked for/ }).waitFor();
    await page.getByRole('group', { name: 'Filter by decision' }).getByText('Open requests').waitFor();
    await page.goto(`/console/boards/${board}?media=${first}`);
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).click();
    await viewer(page).getByRole('button', { name: 'Close request' }).click();
    await eventually(async () => (await shown()).changes_open === false);
    expect(await shown()).toMatchObject({ id: next, decision: 'changes_requested' });
  });
});
