/** @tier timings, 40 s */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { readZip } from '../support/read-zip.ts';
import { describeConsole } from './support/console.ts';
import { Film } from './support/film.ts';
import { aBoardToShare } from './support/shares.ts';

const PICTURES = 12;
const CHANGES = 2;
/** Seconds that the guest may take. */
const MOST = 60;

describeConsole('a client’s yes', (stage) => {
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
  const press = (page: Page, name: string) => viewer(page).getByRole('button', { name, exact: true }).first().click();

  it('comes from a phone within a minute, is seen as it happens, answered and downloaded', async () => {
    const film = await Film.begin('review');
    const { owner, board } = await aBoardToShare(stage, PICTURES);
    const desk = await stage.open(`/boards/${board}`, { as: owner });
    const decided = (decision: string) => desk.getByRole('option', { name: new RegExp(decision) });
    /** Waits until so many items of the owner's page have the decision; nothing is reloaded. */
    const seen = (decision: string, count: number) =>
      eventually(async () => (await decided(decision).count()) === count, { everyMs: 20 });

    await desk.getByRole('button', { name: 'Share…' }).click();
    const dialog = desk.getByRole('dialog', { name: /^(Share|The link is ready)/ });
    await dialog.getByRole('switch', { name: 'Download' }).click();
    await dialog.getByRole('switch', { name: 'Ask for a password' }).click();
    await dialog.getByRole('button', { name: 'Make one' }).click();
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const address = await dialog.getByLabel('Link', { exact: true }).inputValue();
    const password = await dialog.getByLabel('Password', { exact: true }).inputValue();
    await film.take(desk, 'link');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });

    const phone = await stage.visit(new URL(address).pathname, { width: 'phone' });
    const start = performance.now();
    await phone.getByLabel('Password').fill(password);
    await phone.keyboard.press('Enter');
    await phone.getByText(`0 of ${PICTURES} decided`).waitFor();
    await film.take(phone, 'gallery');
    await phone.getByRole('group', { name: 'Gallery' }).getByRole('button').first().tap();
    const picture = viewer(phone).getByRole('img').first();
    await eventually(async () => (await picture.boundingBox())!.width > 200);
    const { width, height } = (await picture.boundingBox())!;
    await picture.tap({ position: { x: width / 4, y: height / 2 } });
    await viewer(phone).getByLabel('Write a comment').fill('Warmer here');
    await press(phone, 'Send');
    await phone.getByRole('textbox', { name: 'Name' }).fill('Rosa');
    await phone.getByRole('button', { name: 'Continue' }).click();
    await viewer(phone).getByRole('button', { name: 'Pin 1: Warmer here' }).waitFor();
    await desk.getByRole('option', { name: /1 comment$/ }).waitFor();
    await film.take(phone, 'pinned');
    for (let item = 1; item <= PICTURES; item++) {
      await viewer(phone).getByText(`${item} of ${PICTURES}`, { exact: true }).waitFor();
      await press(phone, item <= CHANGES ? 'Ask for changes' : 'Approve');
      await (item <= CHANGES ? seen('Changes asked for', item) : seen('Approved', item - CHANGES));
      if (item < PICTURES) await press(phone, 'Next undecided');
    }
    const seconds = (performance.now() - start) / 1000;
    if (process.env.FIGURES) process.stdout.write(`the guest took ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThan(MOST);
    await film.take(phone, 'decided');
    await film.take(desk, 'board');

    await desk.getByRole('option', { name: /Changes asked for, 1 comment$/ }).click();
    await viewer(desk).getByText('Warmer here').waitFor();
    await press(desk, 'Reply');
    await viewer(desk).getByLabel('Reply to Rosa').fill('Tomorrow.');
    await viewer(desk).getByLabel('Reply to Rosa').press('Control+Enter');
    await viewer(desk).getByText('Tomorrow.').waitFor();
    await film.take(desk, 'answer');
    await press(desk, 'Close');
    await desk.getByRole('group', { name: 'Filter by decision' }).getByText('Approved').click();
    await eventually(async () => (await desk.getByRole('option').count()) === PICTURES - CHANGES);
    await desk.getByRole('listbox', { name: 'Media' }).focus();
    await desk.keyboard.press('Control+a');
    await film.take(desk, 'approved');
    const downloaded = desk.waitForEvent('download');
    await desk.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click();
    const files = await readZip(await readFile(await (await downloaded).path()));
    expect(files).toHaveLength(PICTURES - CHANGES + 1);
    expect(files.map(({ path }) => path)).toContain('index.csv');
  });
});
