/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { fillBoard } from './support/full-board.ts';
import { aBoardToShare } from './support/shares.ts';
import { bodiesFor } from '../support/use-service.ts';

describeConsole('a board that colleagues change', (stage) => {
  /** A board with some pictures, which its owner looks at, and a colleague. */
  async function openBoard(width: Width = 'desk', more = 0) {
    const { owner, member } = await teamOf(stage.service);
    const grace = await member('admin');
    const call = bodiesFor(stage, grace);
    await call('PUT', '/v2/auth/me', { name: 'Grace' });
    const { board, media: shown } = await aBoardToShare(stage, 2, owner);
    const media = shown.map(({ id }: { id: number }) => id);
    if (more > 0) await fillBoard(stage.service, board, more, null);
    const page = await stage.open(`/boards/${board}`, { as: owner, width });
    await page.getByRole('option').nth(1).waitFor();
    return { page, board, media, grace, call, at: (id: number, path = '') => `/boards/${board}/media/${id}${path}` };
  }
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });

  itOnEach('shows who else is here, on a %s', async (width) => {
    const { page, board, grace } = await openBoard(width);
    const here = page.getByRole('group', { name: 'Also looking at this board' });
    expect(await here.count()).toBe(0);
    const theirs = await stage.open(`/boards/${board}`, { as: grace, width });
    await here.getByRole('listitem', { name: 'Grace' }).waitFor();
    if (width === 'desk') await here.getByText('Grace is here').waitFor();
    await expectPresentable(page, 'live', [width]);
    await theirs.close();
    await eventually(async () => (await here.count()) === 0);
  });

  it('shows changes, comments and decisions, without a reload', async () => {
    const { page, media, call, at, board } = await openBoard();
    await call('PUT', `/boards/${board}`, { name: 'Autumn' });
    await eventually(() => page.getByRole('heading', { name: 'Autumn' }).isVisible());
    await call('PUT', at(media[1]!, '/decision'), { decision: 'approved' });
    await eventually(() => page.getByRole('option', { name: /Approved/ }).isVisible());
    await page.getByRole('option').first().click();
    await viewer(page).getByText('No comments yet.').waitFor();
    await viewer(page).getByLabel('Write a comment').fill('I think');
    await call('POST', at(media[0]!, '/comments'), { text: 'Warmer here', x: 0.5, y: 0.5 });
    await eventually(() => viewer(page).getByText('Warmer here').isVisible());
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('I think');
    await call('PUT', at(media[0]!, '/decision'), { decision: 'changes_requested' });
    await eventually(() => viewer(page).getByRole('radio', { name: 'Changes asked for' }).isChecked());
    await call('POST', `/boards/${board}/media`, {});
    await eventually(() => viewer(page).getByText('of 3').first().isVisible());
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('I think');
  });

  itOnEach('keeps what is being written when its item is deleted, on a %s', async (width) => {
    const { page, media, call, at } = await openBoard(width);
    await page.getByRole('option').first().click();
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).click();
    await viewer(page).getByLabel('Write a comment').fill('A long thought');
    await call('DELETE', at(media[0]!));
    await viewer(page).getByRole('alert').getByText('This item was deleted').waitFor();
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('A long thought');
    expect(await viewer(page).getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    // A tooltip is no part of a landmark.
    await page.mouse.move(0, 0);
    await expectPresentable(page, 'live-deleted', [width]);
    await viewer(page).getByRole('button', { name: 'Close' }).click();
    await eventually(async () => (await page.getByRole('option').count()) === 1);
  });

  it('keeps it when its folder is deleted, when a filter hides the item, and when another item is opened', async () => {
    const { page, media, call, at, board } = await openBoard();
    const folder = (await call('POST', `/boards/${board}/folders`, { name: 'Sky' })).folder.id as number;
    await call('PUT', at(media[0]!, '/move'), { folder_id: folder });
    await page.goto(`/console/boards/${board}?folder=${folder}`);
    await page.getByRole('option').first().click();
    await viewer(page).getByLabel('Write a comment').fill('About the sky');
    await call('DELETE', `/boards/${board}/folders/${folder}`);
    // A change that comes after it is read.
    const read = page.waitForResponse(
      async (response) =>
        /\/boards\/\d+(\?|$)/.test(response.url()) && (await response.text()).includes('Changed after it'),
    );
    await call('PUT', `/boards/${board}`, { name: 'Changed after it' });
    await read;
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))');
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('About the sky');

    await page.goto(`/console/boards/${board}?decision=none`);
    await page.getByRole('option').first().click();
    await viewer(page).getByLabel('Write a comment').fill('Not yet');
    await call('PUT', at(media[1]!, '/decision'), { decision: 'approved' });
    await eventually(() => viewer(page).getByRole('radio', { name: 'Approved' }).isChecked());
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('Not yet');
    await page.keyboard.press('Escape');
    await viewer(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText('Nothing with this decision').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('option').first().click();
    expect(await viewer(page).getByLabel('Write a comment').inputValue()).toBe('Not yet');
  });

  it('stays where it is scrolled to', async () => {
    const { page, board, call } = await openBoard('desk', 58);
    const top = () => page.evaluate<number>('document.scrollingElement.scrollTop');
    await page.mouse.wheel(0, 900);
    await eventually(async () => (await top()) > 400);
    const before = await top();
    await call('PUT', `/boards/${board}`, { name: 'Autumn' });
    await eventually(async () => (await page.title()).startsWith('Autumn'));
    expect(await top()).toBe(before);
  });

  it('says that the board is gone when it is deleted', async () => {
    const { page, board, call } = await openBoard();
    await call('DELETE', `/boards/${board}`);
    await eventually(() => page.getByRole('heading', { name: 'There is nothing at this address' }).isVisible());
  });
});
