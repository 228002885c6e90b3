/** @tier test, 42 s */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { chooseItem } from './support/pages.ts';
import { aBoardToShare } from './support/shares.ts';
import { bodiesFor } from '../support/use-service.ts';

describeConsole('the share dialog', (stage) => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Share|The link is ready)/ });
  const openDialog = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Share…' }).click();

  const toggle = (page: Page, name: string) => dialog(page).getByRole('switch', { name }).click();

  itOnEach('makes a link, shows its address once, changes it and switches it off, on a %s', async (width) => {
    const { owner, board, call } = await aBoardToShare(stage, 1);
    const page = await stage.open(`/boards/${board}`, { as: owner, width });
    await openDialog(page);
    await dialog(page).getByText('a guest who has seen one keeps it').waitFor();
    await toggle(page, 'Download');
    await toggle(page, 'Ask for a password');
    await dialog(page).getByRole('button', { name: 'Make the link' }).click();
    await dialog(page).getByText('Type a password, or make one.').waitFor();
    await dialog(page).getByRole('button', { name: 'Make one' }).click();
    await expectPresentable(page, 'share', [width]);
    await dialog(page).getByRole('button', { name: 'Make the link' }).click();
    const address = await dialog(page).getByLabel('Link', { exact: true }).inputValue();
    const password = await dialog(page).getByLabel('Password', { exact: true }).inputValue();
    expect(address).toMatch(/\/s\/x12_[\w-]{43}$/);
    await expectPresentable(page, 'share-made', [width]);
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    const guest = await stage.visit(new URL(address).pathname);
    await guest.getByLabel('Password').fill(password);
    await guest.keyboard.press('Enter');
    await guest.getByRole('group', { name: 'Gallery' }).waitFor();
    await guest.close();
    await page.reload();
    await openDialog(page);
    await dialog(page).getByRole('tab', { name: 'Links (1)' }).click();
    await dialog(page)
      .getByText(/Opened \d times?, last/)
      .waitFor();
    for (const badge of ['Comment', 'Decide', 'Download', 'Password'])
      await dialog(page).getByText(badge).first().waitFor();
    expect(await page.content()).not.toContain(address);
    await expectPresentable(page, 'share-links', [width]);

    await chooseItem(dialog(page).getByRole('button', { name: 'Actions for the link Summer' }), 'Change');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Winter');
    await toggle(page, 'Ask for a password');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Link changed').waitFor();
    expect((await call('GET', `/v2/shares?board_id=${board}`)).shares).toMatchObject([
      { name: 'Winter', has_password: false, allow: ['download', 'comment', 'decide'] },
    ]);
    await dialog(page).getByRole('tab', { name: 'Links (1)' }).click();
    await chooseItem(dialog(page).getByRole('button', { name: 'Actions for the link Winter' }), 'Switch off');
    await page
      .getByRole('dialog', { name: 'Switch the link off?' })
      .getByRole('button', { name: 'Switch off' })
      .click();
    await dialog(page).getByText('No links yet').waitFor();
    expect((await call('GET', `/v2/shares?board_id=${board}`)).shares).toEqual([]);
  });

  it('shares a folder, and some items', async () => {
    const { owner, board, call } = await aBoardToShare(stage, 2);
    const folder = (await call('POST', `/boards/${board}/folders`, { name: 'Final' })).folder.id;
    const page = await stage.open(`/boards/${board}?folder=${folder}`, { as: owner });
    await openDialog(page);
    await dialog(page).getByRole('button', { name: 'Make the link' }).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.goto(`/console/boards/${board}`);
    await page.getByRole('option').first().waitFor();
    await page.getByRole('listbox', { name: 'Media' }).focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share…' }).click();
    await page.getByRole('dialog', { name: 'Share 1 item' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Make the link' }).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    const { shares } = await call('GET', '/v2/shares');
    expect(shares).toMatchObject([
      { board_id: null, folder_id: null, media_count: 1 },
      { name: 'Final', folder_id: folder, media_count: 0 },
    ]);
  });

  it('is not there for members', async () => {
    const { owner, member } = await teamOf(stage.service);
    const { board } = await bodiesFor(stage, owner)('POST', '/boards', { name: 'Summer' });
    const page = await stage.open(`/boards/${board.id}`, { as: await member() });
    await page.getByRole('button', { name: 'New folder' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Summer' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Download' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Download']);
  });

  it('brings comments and decisions, which the review marks as those of guests', async () => {
    const { owner, board, share, decisions } = await aBoardToShare(stage, 1);
    const { path } = await share();
    const guest = await stage.visit(path);
    await guest.getByRole('group', { name: 'Gallery' }).getByRole('button').first().click();
    await guest.getByLabel('Write a comment').fill('Warmer, please');
    await guest.getByRole('button', { name: 'Send' }).click();
    await guest.getByRole('textbox', { name: 'Name' }).fill('Rosa');
    await guest.keyboard.press('Enter');
    await guest.getByRole('button', { name: 'Ask for changes' }).click();
    const id = Number(new URL(guest.url()).hash.slice(1));
    await eventually(async () => (await decisions(id)).length === 1);

    const page = await stage.open(`/boards/${board}?media=${id}`, { as: owner });
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByText('Warmer, please').waitFor();
    await eventually(async () => (await viewer.getByText('Rosa').count()) === 2);
    expect(await viewer.getByText('Guest', { exact: true }).count()).toBe(2);
    await expectPresentable(page, 'review-guest');
  });
});
