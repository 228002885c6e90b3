/** @tier test, 46 s */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seedDemo } from '../../apps/service/src/demo.module.ts';
import type { Demo } from '../../apps/service/src/demo.ts';
import { eventually } from '../support/eventually.ts';
import { mailTo } from '../support/mail-to.ts';
import { describeConsole } from './support/console.ts';
import { dropFiles, filesOnDisk } from './support/files.ts';
import { Film } from './support/film.ts';
import { aLighthouse, aPainting } from './support/photos.ts';
import { newSignInLink } from './support/sign-in-link.ts';

const GUEST = 'grace@studio.example';
const PROMPT = 'a lighthouse at dusk, oil painting';

describeConsole('the first hour with the demo', (stage) => {
  let folder: string;
  let film: Film;
  let demo: Demo;

  beforeAll(async () => {
    demo = await seedDemo(stage.service.settings);
    folder = await filesOnDisk({ 'painting.jpg': await aPainting(), 'lighthouse.jpg': await aLighthouse() });
    film = await Film.begin();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const go = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

  /** Drops a file of the computer on a slot, and waits until the slot shows it. */
  async function fill(page: Page, slot: number, name: string, shot: string): Promise<void> {
    await dropFiles(page, [join(folder, name)], `[data-slot="${slot}"]`, () => film.take(page, shot));
    await page.getByRole('button', { name: new RegExp(`^Slot ${slot}, .*: ready$`) }).waitFor();
  }

  /** Takes pictures only once everything that is shown is loaded, and has faded in. What is folded away loads lazily. */
  const loaded = (page: Page) =>
    eventually(() =>
      page.evaluate<boolean>(`document.fonts.status === 'loaded' &&
        [...document.images].every(
          (image) => image.getClientRects().length === 0 ||
            (image.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity === '1'))`),
    );

  const linkInMail = async () => /http\S+#token=[\w-]+/.exec((await mailTo(stage.service, GUEST)).text)![0];

  it('goes from the printed link to a picture on a board, and to a team that sees what it used', async () => {
    const { secret, path } = await newSignInLink(stage.service, demo.users.owner.id);
    const page = await stage.open(path);
    await heading(page, 'Hello, Demo owner');
    expect(page.url()).not.toContain(secret);
    await page.getByText('Nothing runs at the moment.').waitFor();
    await film.take(page, 'home');

    await go(page, 'Personas');
    await press(page, 'New persona');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northern Lights');
    await page.getByLabel('Profession').fill('Travel campaign');
    await press(page, 'Create persona');
    await heading(page, 'Northern Lights');
    await fill(page, 1, 'painting.jpg', 'style');
    await fill(page, 7, 'lighthouse.jpg', 'main-image');
    await loaded(page);
    await press(page, 'Close the list of uploads');
    await film.take(page, 'persona');

    await page.getByRole('link', { name: 'Generate with it' }).click();
    await heading(page, 'Generate');
    await page.getByLabel('Prompt', { exact: true }).fill(PROMPT);
    await page.getByText('4 credits', { exact: true }).waitFor();
    await press(page, 'More');
    await page.getByText('From persona').nth(1).waitFor();
    await loaded(page);
    await film.take(page, 'generate');
    await press(page, 'Less');
    await page.keyboard.press('Control+Enter');
    const card = page.getByRole('article', { name: `Painter: ${PROMPT}` });
    const made = page.getByRole('option', { name: PROMPT });
    // On a busy machine its progress may come with its end.
    await Promise.any([card.getByText(/Running, [1-9]/).waitFor(), made.waitFor()]);
    await film.take(page, 'progress');
    await made.waitFor();
    await loaded(page);
    await film.take(page, 'result');

    expect(await page.getByRole('complementary', { name: 'Uploads in progress' }).count()).toBe(0);
    await made.click();
    await press(page, 'To board');
    await page.getByLabel('Name of the board').fill('Autumn campaign');
    await film.take(page, 'put-on-board');
    await press(page, 'Put on board');
    await page.getByText('Put on “Autumn campaign”').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await go(page, 'Boards');
    await page.getByRole('link', { name: /Autumn campaign/ }).click();
    await heading(page, 'Autumn campaign');
    await page.getByRole('option').locator('img').waitFor();
    await loaded(page);
    await film.take(page, 'board');

    await go(page, 'Team');
    await press(page, 'Invite');
    await page.getByPlaceholder('name@example.com').fill(GUEST);
    await film.take(page, 'invite');
    await press(page, 'Send invitation');
    await page.getByText(`${GUEST} is invited.`).waitFor();

    const link = new URL(await linkInMail());
    const theirs = await stage.open(link.pathname.replace('/console', '') + link.hash);
    await heading(theirs, 'You are invited to a team');
    await theirs.getByLabel('Name (optional)').fill('Grace');
    await theirs.getByLabel('E-mail').fill(GUEST);
    await theirs.getByLabel('Password', { exact: true }).fill('three words nobody else would join');
    await film.take(theirs, 'invitation');
    await press(theirs, 'Create account');
    await theirs.getByText(`You are signed in as ${GUEST}.`).waitFor();
    await theirs.getByText('Invited by').waitFor();
    await film.take(theirs, 'accept');
    await press(theirs, 'Accept');
    await heading(theirs, 'Hello, Grace');
    await loaded(theirs);
    await film.take(theirs, 'welcome');
    await go(theirs, 'Boards');
    await theirs.getByRole('link', { name: /Autumn campaign/ }).waitFor();

    await page.reload();
    await page.getByRole('row', { name: /Grace/ }).waitFor();
    await film.take(page, 'team');
    await go(page, 'Usage');
    await page.getByText('4 credits in 1 generation').waitFor();
    await film.take(page, 'usage');
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
