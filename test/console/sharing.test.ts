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
    await toggle(page, 'Put a label on pictures');
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
    for (const badge of ['Comment', 'Decide', 'Download', 'Password', 'Label'])
      await dialog(page).getByText(badge).first().waitFor();
    expect(await page.content()).not.toContain(address);
    await expectPresentable(page, 'share-links', [width]);

    await chooseItem(dialog(page).getByRole('button', { name: 'Actions for the link Summer' }), 'Change');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Winter');
    await toggle(page, 'Ask for a password');
    await dialog(page).getByLabel('Text of the label').fill('Made by AI');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Link changed').waitFor();
    expect((await call('GET', `/v2/shares?board_id=${board}`)).shares).toMatchObject([
      { name: 'Winter', has_password: false, label: 'Made by AI', allow: ['download', 'comment', 'decide'] },
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

  itOnEach('has a screen with all links, which Find leads to, on a %s', async (width) => {
    const { owner, board, media, share, call } = await aBoardToShare(stage, 1);
    const folder = (await call('POST', `/boards/${board}/folders`, { name: 'Final' })).folder.id;
    await call('POST', '/v2/shares', { folder_id: folder, allow: ['download'], expires_at: null });
    await call('POST', '/v2/shares', { media_ids: [media[0]!.id], name: 'One picture', allow: [] });
    const { path } = await share();
    await (await stage.visit(path)).getByRole('group', { name: 'Gallery' }).waitFor();
    const page = await stage.open('/', { as: owner, width });
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find' }).getByRole('button', { name: 'Shares' }).click();
    const row = (name: string) =>
      page.getByRole('list', { name: 'Links' }).getByRole('listitem').filter({ hasText: name });
    await row('Summer')
      .getByText(/Opened \d times?, last/)
      .waitFor();
    await row('Summer').getByText('Board, 1 item').waitFor();
    await row('One picture').getByText('Look only').waitFor();
    await expectPresentable(page, 'shares', [width]);
    await chooseItem(page.getByRole('button', { name: 'Actions for the link One picture' }), 'Change');
    await page.getByLabel('Name', { exact: true }).fill('One of many');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('One of many').waitFor();
    await chooseItem(page.getByRole('button', { name: 'Actions for the link One of many' }), 'Switch off');
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await row('One of many').waitFor({ state: 'detached' });
    await row('Final').getByRole('link', { name: 'Final' }).click();
    await page.getByRole('heading', { name: 'Final', level: 1 }).waitFor();
  });

  it('shares what is selected in the library, which is put on a board first', async () => {
    const { owner, media, call } = await aBoardToShare(stage, 2);
    const page = await stage.open('/library', { as: owner });
    await page.getByRole('option').nth(1).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share…' }).click();
    const first = page.getByRole('dialog', { name: 'Share from a board' });
    await expectPresentable(page, 'share-from-board');
    await first.getByRole('combobox', { name: 'Board' }).click();
    await page.getByRole('option', { name: 'New board…' }).click();
    await first.getByLabel('Name of the board').fill('For the client');
    await first.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog', { name: 'Share 1 item' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Make the link' }).click();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    const [made] = (await call('GET', '/v2/shares')).shares;
    expect(made).toMatchObject({ name: 'For the client', board_id: null, media_count: 1 });
    const [board] = (await call('GET', '/boards')).boards;
    const [put] = (await call('GET', `/boards/${board.id}`)).board.media;
    expect([board.name, media.map(({ id }: { id: number }) => id).includes(put.id)]).toEqual(['For the client', false]);
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
