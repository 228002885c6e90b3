/** @tier timings, 40 s */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { readZip } from '../support/read-zip.ts';
import { describeConsole } from './support/console.ts';
import { mailTo } from '../support/mail-to.ts';
import { Film } from './support/film.ts';
import { generate } from './support/generations.ts';
import { aBoardToShare } from './support/shares.ts';

const PICTURES = 12;
/** Seconds that both rounds may take. */
const MOST = 90;
const DECIDED = ['approved', 'changes_requested'] as const;

describeConsole('a client’s yes', (stage) => {
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
  const press = (page: Page, name: string) => viewer(page).getByRole('button', { name, exact: true }).first().click();

  /** A board with pictures, of which the two newest were generated: so they can be tried again. */
  async function aCampaign() {
    const owner = await stage.service.signUp();
    const { call, board } = await aBoardToShare(stage, PICTURES - 2, owner);
    for (const prompt of ['a harbour in fog', 'a pier at noon']) {
      const { id, outputs } = await generate(stage.service, owner, { prompt, seed: 3 });
      const extras = JSON.stringify({ generation_id: id, prompt });
      await call('POST', `/boards/${board}/media`, { url: outputs[0].url, extras });
    }
    return { owner, call, board };
  }

  /** Makes a link with a password on the page of the board. */
  async function shareFrom(desk: Page, film: Film) {
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
    return { path: new URL(address).pathname, password };
  }

  /** Draws an arrow on the open picture, and says what it means. */
  async function drawAndSay(phone: Page, film: Film) {
    await press(phone, 'Write a comment');
    await press(phone, 'Draw');
    const area = viewer(phone).getByRole('img', { name: 'Drawing area' });
    const { x, y, width, height } = (await area.boundingBox())!;
    await press(phone, 'Arrow');
    await dragBy(phone, { x: x + width / 4, y: y + height / 4 }, { x: width / 3, y: height / 4 });
    await film.take(phone, 'drawing');
    await press(phone, 'Done');
    await viewer(phone).getByLabel('Write a comment').fill('Warmer here');
    await press(phone, 'Send');
    await phone.getByRole('textbox', { name: 'Name' }).fill('Rosa');
    await phone.getByRole('button', { name: 'Continue' }).click();
    await viewer(phone).getByText('Warmer here').waitFor();
  }

  it('comes from a phone in two rounds within 90 seconds, is seen as it happens, answered, summed up and downloaded', async () => {
    const film = await Film.begin('review');
    const { owner, call, board } = await aCampaign();
    const desk = await stage.open(`/boards/${board}`, { as: owner });
    const { path, password } = await shareFrom(desk, film);
    /** Waits until so many items have the decision. */
    const decided = (decision: (typeof DECIDED)[number], count: number) =>
      eventually(
        async () => {
          const { media } = (await call('GET', `/boards/${board}`)).board;
          return media.filter((each: { decision: string }) => each.decision === decision).length === count;
        },
        { everyMs: 50 },
      );

    /** Waits until so many items have a second version. */
    const answeredBy = (count: number) =>
      eventually(async () => {
        const { media } = (await call('GET', `/boards/${board}`)).board;
        return media.filter((each: { version: number }) => each.version === 2).length === count;
      });

    const phone = await stage.visit(path, { width: 'phone' });
    const start = performance.now();
    await phone.getByLabel('Password').fill(password);
    await phone.keyboard.press('Enter');
    await phone.getByText(`0 of ${PICTURES} decided`).waitFor();
    await film.take(phone, 'gallery');
    const gallery = phone.getByRole('group', { name: 'Gallery' });
    await gallery.getByRole('button').first().tap();
    await drawAndSay(phone, film);
    await desk.getByRole('option', { name: /1 comment$/ }).waitFor();
    for (const item of [1, 2]) {
      await viewer(phone).getByText(`${item} of ${PICTURES}`, { exact: true }).waitFor();
      await press(phone, 'Ask for changes');
      await viewer(phone).getByLabel('What should change? (optional)').fill('warmer light');
      await viewer(phone).getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Send' }).click();
      await decided('changes_requested', item);
    }
    for (let item = 3; item <= PICTURES; item++) {
      await viewer(phone).getByText(`${item} of ${PICTURES}`, { exact: true }).waitFor();
      await press(phone, 'Approve');
      await decided('approved', item - 2);
    }
    await film.take(phone, 'decided');
    await press(phone, 'Close');
    await film.take(desk, 'board');

    await desk.getByRole('group', { name: 'Filter by decision' }).getByText('Open requests').click();
    for (let answered = 1; answered <= 2; answered++) {
      await desk
        .getByRole('option', { name: /Changes asked for/ })
        .first()
        .click();
      await press(desk, 'Try again');
      await viewer(desk).getByRole('button', { name: 'Add “warmer light” to the prompt' }).click();
      await film.take(desk, `answer-${answered}`);
      await press(desk, 'Make version 2');
      await answeredBy(answered);
      await press(desk, 'Close');
    }

    await phone.reload();
    await gallery
      .getByRole('button', { name: /New version/ })
      .nth(1)
      .waitFor();
    await phone.waitForLoadState('networkidle');
    await film.take(phone, 'second-round');
    await gallery
      .getByRole('button', { name: /New version/ })
      .first()
      .tap();
    for (const approved of [PICTURES - 1, PICTURES]) {
      await press(phone, 'Approve');
      await decided('approved', approved);
    }
    const mail = await mailTo(stage.service, owner.email, '10 approved, 2 to change');
    await eventually(async () => {
      const { items } = await call('GET', '/v2/inbox?kinds=summary');
      return items[0]?.text.startsWith('12 approved, 0 to change');
    });
    const seconds = (performance.now() - start) / 1000;
    if (process.env.FIGURES) process.stdout.write(`both rounds took ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThan(MOST);
    expect(mail.headers.subject).toEqual(['Rosa is done with the review on “Summer”']);
    await film.take(phone, 'approved');

    await desk.goto(`/console/inbox?show=open`);
    await desk.getByText('Nothing').first().waitFor();
    await desk.goto(`/console/boards/${board}?decision=approved`);
    await eventually(async () => (await desk.getByRole('option').count()) === PICTURES);
    await desk.getByRole('listbox', { name: 'Media' }).focus();
    await desk.keyboard.press('Control+a');
    await film.take(desk, 'all-approved');
    const downloaded = desk.waitForEvent('download');
    await desk.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click();
    const files = await readZip(await readFile(await (await downloaded).path()));
    expect(files).toHaveLength(PICTURES + 1);
    expect(files.map(({ path: file }) => file)).toContain('index.csv');
  });
});

/** Drags a finger or the mouse in steps, as people do. */
async function dragBy(page: Page, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 8 });
  await page.mouse.up();
}
