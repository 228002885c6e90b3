/** @tier deep, 87 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { aVideo } from '../support/sample-video.ts';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { dragOver, expectFocused } from './support/pages.ts';
import { fillBoard } from './support/full-board.ts';
import { longestTask, scroll } from './support/long-tasks.ts';
import { X12 } from '#client';
import { aBoardToShare } from './support/shares.ts';
import { downloadOf } from './support/files.ts';

const SCRIPT = '<img src=x onerror="document.title=1">';

describeConsole('a guest of a link', (stage) => {
  const tiles = (page: Page) => page.getByRole('group', { name: 'Gallery' }).getByRole('button');
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
  const position = (page: Page) => viewer(page).getByText(/^\d+ of \d+$/);
  const button = (page: Page, name: string) => viewer(page).getByRole('button', { name, exact: true });

  async function visit(path: string, width: Width = 'desk', count = 3) {
    const page = await stage.visit(path, { width });
    await eventually(async () => (await tiles(page).count()) === count);
    return page;
  }
  /** The items in the order of the gallery: newest first. */
  const shownIds = (page: Page) =>
    tiles(page).evaluateAll((all) =>
      all.map((each) => Number((each as unknown as { dataset: { id: string } }).dataset.id)),
    );
  const giveName = async (page: Page, name: string) => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  itOnEach('comments on a point and decides, with the name asked once, on a %s', async (width) => {
    const { share, comments, decisions } = await aBoardToShare(stage);
    const page = await visit((await share()).path, width);
    await page.getByRole('heading', { name: 'Summer' }).waitFor();
    await page.getByText('0 of 3 decided').waitFor();
    await expectPresentable(page, 'guest-gallery', [width]);
    const [first, second] = await shownIds(page);

    await tiles(page).first().click();
    const picture = viewer(page).getByRole('img').first();
    await eventually(async () => (await picture.boundingBox())!.width > 200);
    const box = (await picture.boundingBox())!;
    const spot = { position: { x: box.width * 0.25, y: box.height * 0.75 } };
    await (width === 'phone' ? picture.tap(spot) : picture.click(spot));
    await viewer(page).getByText('Pinned to a point').waitFor();
    await viewer(page).getByLabel('Write a comment').fill('Warmer here');
    await button(page, 'Send').click();
    await expectPresentable(page, 'guest-name', [width]);
    await giveName(page, 'Rosa');
    await viewer(page).getByRole('button', { name: 'Pin 1: Warmer here' }).waitFor();
    const [comment] = await comments(first!);
    expect(comment).toMatchObject({ text: 'Warmer here', author: { user_id: null, name: 'Rosa' } });
    expect(comment.x).toBeCloseTo(0.25, 1);
    expect(comment.y).toBeCloseTo(0.75, 1);

    // Otherwise the next item opens, without a question.
    await viewer(page).getByLabel('Go on after a decision').click();
    await button(page, 'Approve').click();
    await viewer(page).getByLabel('Add a word (optional)').fill('Lovely');
    await expectPresentable(page, 'guest-viewer', [width]);
    await viewer(page).getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Send' }).click();
    await viewer(page).getByText('Sent').waitFor();
    expect((await decisions(first!))[0]).toMatchObject({ decision: 'approved', text: 'Lovely' });

    await button(page, 'Next undecided').click();
    await viewer(page).getByText('2 of 3').waitFor();
    await button(page, 'Ask for changes').click();
    await eventually(async () => (await decisions(second!))[0]?.decision === 'changes_requested');
    expect(await page.getByRole('textbox', { name: 'Name' }).count()).toBe(0);
    await button(page, 'Close').click();
    await page.getByText('2 of 3 decided').waitFor();
    await tiles(page)
      .and(page.getByRole('button', { name: /Approved, 1 comment$/ }))
      .waitFor();
    await page.getByRole('button', { name: 'I’m done' }).click();
    await page.getByRole('button', { name: 'They know that you are done' }).waitFor();
    await expectPresentable(page, 'guest-done', [width]);
  });

  it('shows scripts in comments, replies and names as text', async () => {
    const { share, call, board } = await aBoardToShare(stage, 1);
    const page = await visit((await share({ name: SCRIPT, allow: ['comment'] })).path, 'desk', 1);
    const [id] = await shownIds(page);
    await call('POST', `/boards/${board}/media/${id}/comments`, { text: SCRIPT, x: 0.5, y: 0.5 });
    await tiles(page).first().click();
    await button(page, 'Reply').click();
    await viewer(page).getByLabel('Reply to').fill(SCRIPT);
    await button(page, 'Reply').click();
    await giveName(page, SCRIPT);
    await eventually(async () => (await viewer(page).getByText(SCRIPT, { exact: true }).count()) === 3);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).toBe(SCRIPT);
  });

  it('changes and deletes an own comment, and no other', async () => {
    const { share, call, board, comments } = await aBoardToShare(stage, 1);
    const page = await visit((await share()).path, 'desk', 1);
    const [id] = await shownIds(page);
    await call('POST', `/boards/${board}/media/${id}/comments`, { text: 'from the team' });
    await tiles(page).first().click();
    await viewer(page).getByText('from the team').waitFor();
    expect(await button(page, 'Edit').count()).toBe(0);
    await button(page, 'Reply').click();
    await viewer(page).getByLabel('Reply to').fill('from the guest');
    await viewer(page).getByLabel('Reply to').press('Control+Enter');
    await giveName(page, 'Rosa');
    await viewer(page).getByText('from the guest').waitFor();
    await button(page, 'Edit').click();
    await viewer(page).getByRole('textbox', { name: 'Edit' }).fill('changed');
    await button(page, 'Save').click();
    await viewer(page).getByText('changed', { exact: true }).waitFor();
    page.once('dialog', (question) => void question.accept());
    await button(page, 'Delete').click();
    await viewer(page).getByText('changed', { exact: true }).waitFor({ state: 'detached' });
    expect(await comments(id!)).toHaveLength(1);
  });

  it('does it all by the keyboard', async () => {
    const { share, comments, decisions } = await aBoardToShare(stage);
    const page = await visit((await share()).path);
    const ids = await shownIds(page);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab', 'Tab', 'Tab');
    await expectFocused(tiles(page).first());
    await press('ArrowRight');
    await expectFocused(tiles(page).nth(1));
    await press('Home', 'Enter');
    await position(page).waitFor();
    await press('a');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('Rosa');
    await press('Enter');
    await eventually(async () => (await decisions(ids[0]!))[0]?.decision === 'approved');
    await viewer(page).getByText('2 of 3').waitFor();
    await press('ArrowRight');
    await viewer(page).getByText('3 of 3').waitFor();
    await button(page, 'Pin to a point').press('Enter');
    await expectFocused(viewer(page).getByRole('application', { name: 'Where the pin goes' }));
    await press('ArrowRight', 'ArrowDown', 'Enter');
    await expectFocused(viewer(page).getByLabel('Write a comment'));
    await page.keyboard.type('here');
    await press('Control+Enter');
    await viewer(page).getByRole('button', { name: 'Pin 1: here' }).waitFor();
    expect((await comments(ids[2]!))[0]).toMatchObject({ x: 0.52, y: 0.52 });
    await press('Escape', 'r');
    await eventually(async () => (await decisions(ids[2]!))[0]?.decision === 'changes_requested');
    await press('Escape');
    await viewer(page).waitFor({ state: 'detached' });
    await expectFocused(tiles(page).nth(2));
  });

  it('swipes from one item to the next, and goes back by the button of the browser', async () => {
    const { share } = await aBoardToShare(stage);
    const page = await visit((await share()).path, 'phone');
    await tiles(page).first().tap();
    await viewer(page).getByText('1 of 3').waitFor();
    await swipe(page, -160);
    await viewer(page).getByText('2 of 3').waitFor();
    await swipe(page, 160);
    await viewer(page).getByText('1 of 3').waitFor();
    await page.goBack();
    await viewer(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('');
  });

  it('gives the password first', async () => {
    const { share } = await aBoardToShare(stage, 1);
    const page = await stage.visit((await share({ allow: [], password: 'open sesame' })).path);
    await page.getByRole('heading', { name: 'This link has a password' }).waitFor();
    await expectPresentable(page, 'guest-password');
    await page.getByLabel('Password').fill('open says me');
    await page.keyboard.press('Enter');
    await page.getByText('That is not the password.').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('open says me');
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await tiles(page).first().waitFor();
    await page.reload();
    await tiles(page).first().waitFor();
  });

  it('who may only look sees watermarked pictures as soon as they are made, and has nothing else to do', async () => {
    const { share } = await aBoardToShare(stage, 1);
    const page = await visit((await share({ allow: [], watermark: 'Draft' })).path, 'desk', 1);
    await page.getByText('The pictures have a watermark.').waitFor();
    await eventually(() => page.evaluate<boolean>(`document.querySelector('.tile img')?.naturalWidth > 0`));
    await tiles(page).first().click();
    await viewer(page).getByRole('img').first().click();
    for (const name of ['Approve', 'Send', 'Download', 'Pin to a point']) {
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    }
    await expectAccessible(page);
  });

  it('downloads an item, and all as a zip', async () => {
    const { share } = await aBoardToShare(stage, 2);
    const page = await visit((await share({ allow: ['download'] })).path, 'desk', 2);
    const zip = await downloadOf(page, page.getByRole('button', { name: 'Download all' }).click());
    expect(zip.suggestedFilename()).toMatch(/\.zip$/);
    await tiles(page).first().click();
    const file = await downloadOf(page, button(page, 'Download').click());
    expect(file.suggestedFilename()).toMatch(/\.jpe?g$/);
  });

  it('plays a video that may not be downloaded, comments on a moment of it, and goes back to it', async () => {
    const { owner, share, call, board, prepared, comments } = await aBoardToShare(stage, 0);
    const bytes = await aVideo({ width: 320, height: 240, seconds: 3 });
    const api = new X12({ baseUrl: stage.service.baseUrl, token: owner.token });
    const { url } = await api.upload(new Uint8Array(bytes), { filename: 'film.mp4' });
    await call('POST', `/boards/${board}/media`, { url });
    await prepared();
    const page = await visit((await share({ allow: ['comment'] })).path, 'desk', 1);
    const [id] = await shownIds(page);
    await tiles(page).first().click();
    const moment = () => page.evaluate<number>(`document.querySelector('video').currentTime`);
    await eventually(() => page.evaluate<boolean>(`document.querySelector('video')?.readyState > 0`));
    await page.evaluate(`document.querySelector('video').currentTime = 1.5`);
    await button(page, 'Pin to this moment').click();
    await viewer(page).getByText('At 0:01.5').waitFor();
    await viewer(page).getByLabel('Write a comment').fill('Slower');
    await button(page, 'Send').click();
    await giveName(page, 'Rosa');
    await eventually(async () => (await comments(id!))[0]?.time === 1.5);
    await page.evaluate(`document.querySelector('video').currentTime = 0`);
    await button(page, 'At 0:01.5').click();
    await eventually(async () => (await moment()) === 1.5);
  });

  it('draws an arrow on a phone, which stays with the words through a reload, and members see it over the picture', async () => {
    const { owner, board, share, comments } = await aBoardToShare(stage, 1);
    const page = await visit((await share({ allow: ['comment'] })).path, 'phone', 1);
    const [id] = await shownIds(page);
    await tiles(page).first().tap();
    await viewer(page).getByRole('button', { name: 'Write a comment' }).tap();
    await button(page, 'Draw').tap();
    await button(page, 'Arrow').tap();
    await button(page, 'Yellow').tap();
    const area = viewer(page).getByRole('img', { name: 'Drawing area' });
    await dragOver(area, [0.2, 0.8], [0.6, 0.4]);
    await dragOver(area, [0.1, 0.1], [0.9, 0.9]);
    await button(page, 'Undo').tap();
    await expectPresentable(page, 'guest-drawing', ['phone']);
    await button(page, 'Done').tap();
    await page.reload();
    await viewer(page).getByRole('img', { name: 'Drawing', exact: true }).waitFor();
    await viewer(page).getByRole('button', { name: 'Write a comment' }).tap();
    await viewer(page).getByLabel('Write a comment').fill('Less of this');
    await button(page, 'Send').tap();
    await giveName(page, 'Rosa');
    await button(page, 'Hide the drawing').waitFor();
    await expectPresentable(page, 'guest-drawn', ['phone']);
    const [{ drawing }] = await comments(id!);
    expect(drawing).toMatchObject([{ color: '#ffd60a', points: { length: 5 } }]);
    const [from, tip] = drawing[0].points;
    [0.2, 0.8].forEach((share, at) => expect(from[at]).toBeCloseTo(share, 1));
    [0.6, 0.4].forEach((share, at) => expect(tip[at]).toBeCloseTo(share, 1));

    const desk = await stage.open(`/boards/${board}?media=${id}`, { as: owner });
    const strokes = viewer(desk).getByRole('img', { name: 'Drawing', exact: true });
    await viewer(desk).getByText('Less of this').waitFor();
    expect(await strokes.count()).toBe(0);
    await button(desk, 'Show the drawing').click();
    await strokes.waitFor();
    const picture = (await viewer(desk).locator('img').last().boundingBox())!;
    const arrow = (await strokes.locator('polyline').boundingBox())!;
    expect((arrow.x - picture.x) / picture.width).toBeCloseTo(0.2, 1);
    expect((arrow.y + arrow.height - picture.y) / picture.height).toBeCloseTo(0.8, 1);
    await expectPresentable(desk, 'review-drawn');
    await button(desk, 'Hide the drawing').click();
    await strokes.waitFor({ state: 'detached' });
  });

  it('draws over a frame of a video, and sees it at that moment only', async () => {
    const { owner, share, call, board, prepared, comments } = await aBoardToShare(stage, 0);
    const bytes = await aVideo({ width: 320, height: 240, seconds: 3 });
    const api = new X12({ baseUrl: stage.service.baseUrl, token: owner.token });
    const { url } = await api.upload(new Uint8Array(bytes), { filename: 'film.mp4' });
    await call('POST', `/boards/${board}/media`, { url });
    await prepared();
    const page = await visit((await share({ allow: ['comment'] })).path, 'desk', 1);
    const [id] = await shownIds(page);
    await tiles(page).first().click();
    await eventually(() => page.evaluate<boolean>(`document.querySelector('video')?.readyState > 0`));
    await page.evaluate(`document.querySelector('video').currentTime = 1.5`);
    await button(page, 'Draw').click();
    await button(page, 'Box').click();
    await dragOver(viewer(page).getByRole('img', { name: 'Drawing area' }), [0.25, 0.25], [0.75, 0.5]);
    await button(page, 'Done').click();
    await viewer(page).getByText('At 0:01.5').waitFor();
    await viewer(page).getByLabel('Write a comment').fill('Crop here');
    await button(page, 'Send').click();
    await giveName(page, 'Rosa');
    await eventually(async () => (await comments(id!)).length === 1);
    const [comment] = await comments(id!);
    expect(comment).toMatchObject({ time: 1.5, drawing: [{ points: { length: 5 } }] });
    const strokes = viewer(page).getByRole('img', { name: 'Drawing', exact: true });
    await strokes.waitFor();
    await expectPresentable(page, 'guest-drawn-video');
    await page.evaluate(`document.querySelector('video').currentTime = 0`);
    await strokes.waitFor({ state: 'detached' });
    await button(page, 'At 0:01.5 Show the drawing').click();
    await strokes.waitFor();

    const desk = await stage.open(`/boards/${board}?media=${id}`, { as: owner });
    await button(desk, 'At 0:01.5 Show the drawing').click();
    await viewer(desk).getByRole('img', { name: 'Drawing', exact: true }).waitFor();
  });

  it('loses no words by a reload or when the link is switched off, and then sees that it is not open', async () => {
    const { share, call } = await aBoardToShare(stage, 1);
    const { id, path } = await share();
    const page = await visit(path, 'desk', 1);
    await tiles(page).first().click();
    const comment = viewer(page).getByLabel('Write a comment');
    await comment.fill('too late');
    await page.reload();
    await eventually(async () => (await comment.inputValue()) === 'too late');
    await viewer(page).getByText('No comments yet').waitFor();
    await page.context().setOffline(true);
    await button(page, 'Send').click();
    await giveName(page, 'Rosa');
    await page.getByText('The service can’t be reached.').waitFor();
    await page.context().setOffline(false);
    await call('DELETE', `/v2/shares/${id}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The link was switched off').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await comment.inputValue()).toBe('too late');
    await page.reload();
    await page.getByRole('heading', { name: 'This link is not open' }).waitFor();
    await expectPresentable(page, 'guest-gone');
  });

  it('scrolls through 2,000 items without long tasks', async () => {
    const { board, share } = await aBoardToShare(stage);
    await fillBoard(stage.service, board, 1997, null);
    const page = await stage.visit((await share()).path, { width: 'phone' });
    await page.getByText('0 of 2000 decided').waitFor();
    expect(await longestTask(page, () => scroll(page))).toBeLessThan(100);
    expect(await tiles(page).count()).toBeLessThan(100);
    await tiles(page).first().focus();
    await page.keyboard.press('End');
    await eventually(() =>
      page.evaluate<boolean>('scrollY + innerHeight > document.documentElement.scrollHeight - 300'),
    );
    await page.keyboard.press('Enter');
    await viewer(page).getByText('2000 of 2000').waitFor();
  });
});

/** Moves a finger over the picture. */
async function swipe(page: Page, by: number): Promise<void> {
  const { x, y, width, height } = (await page.getByRole('dialog').getByRole('img').first().boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = (moved: number) => [{ x: x + width / 2 - by / 2 + moved, y: y + height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= 4; step++) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at((by * step) / 4) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
