/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { TestUser } from '../support/service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { generate } from './support/generations.ts';

const SMALL = { width: 256, height: 192 };
const LABEL = 'xpath=following-sibling::label[1]';

describeConsole('the comparison', (stage) => {
  const grid = (page: Page) => page.getByRole('listbox', { name: 'Pictures, videos and models' });
  const tiles = (page: Page) => grid(page).getByRole('option');
  const comparison = (page: Page) => page.getByRole('dialog', { name: 'Compare' });
  const compared = (page: Page) => comparison(page).getByRole('figure');
  const itemsOf = async ({ token }: Pick<TestUser, 'token'>) =>
    (await stage.service.call('GET', '/v2/library', { token })).body.items as { file_id: number; rating: number }[];

  /** A user with this many pictures. */
  async function withPictures(many: number) {
    const me = await stage.service.signUp();
    for (let seed = 0; seed < many; seed += 4) {
      await generate(stage.service, me, { prompt: 'a lighthouse', seed, count: Math.min(4, many - seed), ...SMALL });
    }
    await eventually(async () => (await itemsOf(me)).length === many);
    return { me, items: await itemsOf(me) };
  }

  /** How the picture of an item is zoomed and moved. */
  const viewOf = (item: Locator) => item.locator('img').evaluate((image) => getComputedStyle(image as never).transform);

  it('is of two by a divider or side by side, opened, zoomed and closed by keys', async () => {
    const { me, items } = await withPictures(2);
    const page = await stage.open('/library', { as: me });
    await tiles(page).nth(1).waitFor();
    await grid(page).focus();
    await page.keyboard.press('c');
    await page.getByText('Select two or more to compare').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('x');
    await page.keyboard.press('c');
    await comparison(page).waitFor();
    expect(new URL(page.url()).searchParams.get('compare')).toBe(items.map((each) => each.file_id).join('-'));
    const divider = comparison(page).getByRole('slider', { name: 'Divider between the two pictures' });
    await divider.press('ArrowRight');
    expect(await divider.inputValue()).toBe('51');
    await page.keyboard.press('+');
    await comparison(page).getByText('140%').waitFor();
    await expectPresentable(page, 'compare-slider');

    await comparison(page).getByText('Side by side').click();
    await compared(page).nth(1).locator('img').waitFor();
    const [first, second] = [compared(page).first(), compared(page).nth(1)];
    await first.focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await viewOf(first)).toEqual(await viewOf(second));
    expect(await viewOf(first)).toMatch(/^matrix\(1\.4, 0, 0, 1\.4, -\d/);
    await page.keyboard.press('ArrowRight');
    await expectFocused(second);
    await page.keyboard.press('4');
    await eventually(async () => (await itemsOf(me))[1]!.rating === 4);
    await page.keyboard.press('z');
    await comparison(page).getByText('100%').waitFor();
    await comparison(page).getByRole('rowheader', { name: 'Model' }).waitFor();
    await expectPresentable(page, 'compare-two');
    await page.keyboard.press('Escape');
    await comparison(page).waitFor({ state: 'hidden' });
    await expectFocused(grid(page));
  });

  itOnEach('is of nine by their address: zoomed in step, rated and sorted out, on a %s', async (width) => {
    const { me, items } = await withPictures(9);
    const ids = items.map((each) => each.file_id);
    const page = await stage.open(`/library?compare=${ids.join('-')}`, { as: me, width });
    await eventually(async () => (await compared(page).locator('img').count()) === 9);
    await expectPresentable(page, 'compare-nine', [width]);
    const [first, second] = [compared(page).first(), compared(page).nth(1)];
    const { x, y, width: wide } = (await first.locator('img').boundingBox())!;
    if (width === 'desk') {
      await page.mouse.move(x + 20, y + 20);
      await page.mouse.wheel(0, -600);
      await page.mouse.down();
      await page.mouse.move(x + 90, y + 20, { steps: 3 });
      await page.mouse.up();
    } else {
      await pinch(page, [x + wide / 2 - 10, y + 40], [x + wide / 2 + 10, y + 40], 30);
    }
    await eventually(async () => (await viewOf(first)) !== 'none' && !/^matrix\(1, /.test(await viewOf(first)));
    expect(await viewOf(second)).toBe(await viewOf(first));
    const [scale] = /[\d.]+/.exec(await viewOf(first))!;
    expect(Number(scale)).toBeGreaterThan(2);
    await page.mouse.move(0, 0);

    await comparison(page).getByRole('button', { name: 'Keep B: 5 stars' }).click();
    await compared(page).nth(2).getByRole('radio', { name: '3 stars' }).locator(LABEL).click();
    await eventually(async () => {
      const rated = await itemsOf(me);
      return rated[1]!.rating === 5 && rated[2]!.rating === 3;
    });
    await comparison(page).getByRole('button', { name: 'Take A out of the comparison' }).click();
    await eventually(async () => (await compared(page).count()) === 8);
    expect(new URL(page.url()).searchParams.get('compare')).toBe(ids.slice(1).join('-'));
  });

  it('says why more than nine cannot be compared', async () => {
    const { me } = await withPictures(10);
    const page = await stage.open('/library', { as: me });
    await tiles(page).nth(9).waitFor();
    await grid(page).focus();
    await page.keyboard.press('Control+a');
    const button = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Compare' });
    await button.focus();
    const reason = 'At most 9 can be compared: select fewer';
    await page.getByRole('tooltip').getByText(reason).waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.press('Enter');
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('plays videos in step', async () => {
    const me = await stage.service.signUp();
    const { outputs } = await generate(stage.service, me, { prompt: 'a lighthouse', ...SMALL });
    const film = { model: 'local-video', image: outputs[0].url, duration: 2, fps: 12 };
    for (const seed of [1, 2]) await generate(stage.service, me, { ...film, prompt: 'pan left', seed });
    const ids = (await itemsOf(me)).slice(0, 2).map((each) => each.file_id);
    const page = await stage.open(`/library?compare=${ids.join('-')}`, { as: me });
    const times = () =>
      page.evaluate<number[]>(`Array.from(document.querySelectorAll('video'), (each) => each.currentTime)`);
    await eventually(async () => (await times()).length === 2);
    await compared(page).first().focus();
    await page.keyboard.press(' ');
    await comparison(page).getByRole('button', { name: 'Pause all' }).waitFor();
    await eventually(async () => (await times()).every((time) => time > 0.2));
    await page.keyboard.press(' ');
    const [one, other] = (await times()) as [number, number];
    expect(Math.abs(one - other)).toBeLessThan(0.3);
    await comparison(page).getByRole('slider', { name: 'Time' }).press('Home');
    await eventually(async () => (await times()).every((time) => time === 0));
    await expectPresentable(page, 'compare-videos');
  });
});

/** Runs in the page. */
declare const getComputedStyle: (element: never) => { readonly transform: string };

/** Two fingers move apart, by a number of pixels each. */
async function pinch(page: Page, one: readonly [number, number], other: readonly [number, number], by: number) {
  const session = await page.context().newCDPSession(page);
  const points = (apart: number) => [
    { x: one[0] - apart, y: one[1], id: 0 },
    { x: other[0] + apart, y: other[1], id: 1 },
  ];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
  for (const apart of [by / 3, (by * 2) / 3, by]) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(apart) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
