/** @tier deep, 50 s, about apps/console */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestUser } from '../support/service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { isInSight, openComposer } from './support/pages.ts';
import { chooseFiles, dropFiles, filesOnDisk, png } from './support/files.ts';
import { prepared } from '../support/use-service.ts';

describeConsole('uploads', (stage) => {
  const LONG_NAME = `${'very-long-name-'.repeat(16)}end.png`;
  let folder: string;
  const user = prepared(() => stage.service.signUp());

  beforeAll(async () => {
    const big = Buffer.concat([await png('plum'), randomBytes(20 * 2 ** 20)]);
    const nested = {
      'shoot/a.png': await png('teal'),
      'shoot/day 2/b.png': await png('coral'),
      'shoot/.DS_Store': 'x',
    };
    folder = await filesOnDisk({
      ...nested,
      'notes.txt': 'x',
      'empty.png': '',
      [LONG_NAME]: await png('navy'),
      'big.png': big,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const defaultPersonaOf = async ({ token }: TestUser) =>
    (await stage.service.call('GET', '/v2/personas', { token })).body.personas[0] as { id: number; name: string };

  const filesOf = async (owner: TestUser) => {
    const path = `/v2/personas/${(await defaultPersonaOf(owner)).id}/files`;
    return (await stage.service.call('GET', path, { token: owner.token })).body.files as {
      filename: string;
      expires_at: string;
    }[];
  };

  const choose = (page: Page, name: string) =>
    chooseFiles(page, page.getByRole('button', { name: 'Choose files' }).first().click(), join(folder, name));

  /** Opens a page; what every screen has and nobody needs at once is loaded when `loadRest` is called. */
  async function openWithoutRest(path: string) {
    const page = await stage.open('/sign-in', { as: user });
    const rest = Promise.withResolvers<void>();
    await page.route('**/assets/Extras-*.js', async (route) => {
      await rest.promise;
      await route.continue();
    });
    const asked = page.waitForRequest('**/assets/Extras-*.js');
    await page.goto(`/console${path}`);
    await asked;
    return { page, loadRest: rest.resolve };
  }

  it('take a folder that is dropped anywhere on the page, and go on on other screens', async () => {
    const page = await stage.open('/uploads', { as: user });
    await page.getByText('Nothing uploaded yet').waitFor();
    const metadata = page.getByText('Pictures keep their metadata');
    await metadata.waitFor();
    await expectPresentable(page, 'uploads-empty');
    await dropFiles(page, [join(folder, 'shoot')], 'h1', async () => {
      await page.getByText('Drop to upload to your files').waitFor();
      await metadata.nth(1).waitFor();
    });
    await page.getByText('2 of 2 uploaded').waitFor();
    expect((await filesOf(user)).map(({ filename }) => filename).sort()).toEqual(['a.png', 'b.png']);
    await page.getByRole('link', { name: 'Boards' }).click();
    await page.getByRole('complementary', { name: 'Uploads in progress' }).getByText('2 files uploaded').waitFor();
  });

  itOnEach('are chosen by keyboard, say why one is refused, and are taken off the list, on a %s', async (width) => {
    const page = await stage.open('/uploads', { as: user, width });
    await page.getByText('Temporary', { exact: true }).click();
    expect(page.url()).toMatch(/temporary=true/);
    const asked = page.getByRole('button', { name: 'Choose files' }).press('Enter');
    await chooseFiles(page, asked, ...['notes.txt', 'empty.png', LONG_NAME].map((name) => join(folder, name)));
    await page.getByText('1 of 3 uploaded').waitFor();
    await page.getByText('The file is empty').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel all' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try notes.txt again' }).waitFor();
    await page.getByText('Request').first().waitFor();
    await expectPresentable(page, 'uploads-refused', [width]);
    await page.getByRole('button', { name: 'Cancel notes.txt' }).press('Enter');
    await page.getByText('1 of 2 uploaded').waitFor();
    await page.getByRole('button', { name: 'Clear failed' }).press('Enter');
    await page.getByText('1 of 1 uploaded').waitFor();
    const newest = (await filesOf(user))[0]!;
    expect(newest).toMatchObject({ filename: `x12tmp-${LONG_NAME}`, expires_at: expect.any(String) });
  });

  it('leave room on a phone for what a screen is for, and their tray can be closed', async () => {
    const page = await stage.open('/generate', { as: user, width: 'phone' });
    const sent = Promise.withResolvers<void>();
    await page.route('**/storage/**', (route) => sent.promise.then(() => route.continue()));
    await page.locator('input[type=file][aria-label="Image"]').setInputFiles(join(folder, 'shoot/a.png'));
    const tray = page.getByRole('complementary', { name: 'Uploads in progress' });
    const generate = page.getByRole('form').getByRole('button', { name: 'Generate' });
    await tray.waitFor();
    expect(await isInSight(generate)).toBe(true);
    await tray.getByRole('button', { name: 'Show the uploads' }).tap();
    await tray.getByText('a.png').waitFor();
    expect(await isInSight(generate)).toBe(true);
    await tray.getByRole('button', { name: 'Close the list of uploads' }).tap();
    await tray.waitFor({ state: 'detached' });
    sent.resolve();
    await openComposer(page);
    await page.getByRole('button', { name: /^Image: a.png/ }).waitFor();
    expect(await tray.count()).toBe(0);
  });

  it('show where files can be dropped that were over the page before it was loaded', async () => {
    const { id, name } = await defaultPersonaOf(user);
    const { page, loadRest } = await openWithoutRest(`/personas/${id}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await dropFiles(page, [join(folder, 'shoot/a.png')], 'h1', async () => {
      loadRest();
      await page.getByText(`Drop to add to the likes of ${name}`).waitFor();
    });
    await page.getByRole('tab', { name: 'Likes 1' }).waitFor();
  });

  it.each([
    ['late', false],
    ['when the network is back', true],
  ])('go on if the rest of the page is loaded %s', async (_, isOffline) => {
    const { page, loadRest } = await openWithoutRest('/uploads');
    await choose(page, 'shoot/a.png');
    await page.getByText('1 of 1 uploaded').waitFor();
    await page.context().setOffline(isOffline);
    loadRest();
    if (isOffline) await page.getByText('You are offline').waitFor();
    await page.context().setOffline(false);
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await page.keyboard.press('?');
    await keys.waitFor();
    expect(await page.getByText('1 of 1 uploaded').count()).toBe(1);
  });

  it('in parts can be paused and continued, and go on with the same file after a reload', async () => {
    const page = await stage.open('/uploads', { as: user });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const throttle = (uploadThroughput: number) =>
      session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await throttle(4 * 2 ** 20);
    await choose(page, 'big.png');
    await page.getByText(/ of 21 MB · [1-9]/).waitFor();
    await page.getByRole('button', { name: 'Pause big.png' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Continue big.png' }).click();
    await page.getByText(/ of 21 MB · /).waitFor();
    await Promise.all([page.waitForEvent('dialog').then((dialog) => dialog.accept()), page.reload()]);
    await page.getByText('The page was loaded again in the middle of an upload').waitFor();
    await expectPresentable(page, 'uploads-lost');
    await throttle(-1);
    await choose(page, 'big.png');
    await page.getByText('1 of 1 uploaded').waitFor();
    expect((await filesOf(user))[0]).toMatchObject({ filename: 'big.png', expires_at: null });
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(
      /signature/,
    );
  });

  it('wait for the network, and then go on by themselves', async () => {
    const page = await stage.open('/uploads', { as: user });
    await page.getByText('Nothing uploaded yet').waitFor();
    await page.context().setOffline(true);
    await choose(page, 'shoot/a.png');
    await page.getByRole('button', { name: 'Try a.png again' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('1 of 1 uploaded').waitFor();
  });
});
