import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** Chooses an item of a menu by keyboard. What opens takes the focus a moment later: keys sooner than a person's would miss. */
export async function chooseItem(button: Locator, item: string | RegExp): Promise<void> {
  const page = button.page();
  await button.press('Enter');
  await eventually(() => page.evaluate<boolean>(`document.activeElement.closest('[role=menu]') !== null`));
  await page.evaluate('new Promise((settled) => requestAnimationFrame(() => setTimeout(settled)))');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** Shows all fields of the composer: above its row, or as a sheet. */
export async function openComposer(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Generate' });
  await page.getByLabel('Prompt', { exact: true }).focus();
  const more = form.getByRole('button', { name: 'More', exact: true });
  if (await more.isVisible()) await more.press('Enter');
  await form.getByRole('button', { name: 'Less' }).waitFor();
}

/** Waits until an element has the focus: dialogs give it back a moment after they are closed. */
export async function expectFocused(element: Locator): Promise<void> {
  const focused = element.and(element.page().locator(':focus'));
  await eventually(async () => (await focused.count()) === 1);
}

/** Touches the middle of an element, and holds it for a moment. */
export async function touchAndHold(element: Locator): Promise<void> {
  const page = element.page();
  const { x, y, width, height } = (await element.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  // By the clock of the page, which may begin late to count where other programs use the processor, too.
  await page.evaluate('new Promise((held) => setTimeout(held, 450))');
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

/** Reports whether the middle of an element is on the screen, with nothing over it. */
export async function isInSight(element: Locator): Promise<boolean> {
  const { x, y, width, height } = (await element.boundingBox())!;
  const top = await element.page().evaluateHandle(`document.elementFromPoint(${x + width / 2}, ${y + height / 2})`);
  return element.evaluate((node, found) => (node as unknown as Container).contains(found), top);
}

/** The browser's elements, of which tests know no types. */
interface Container {
  contains(other: unknown): boolean;
}

/** Waits until the viewer has loaded a 3D model. The element of one that can't be loaded is removed again. */
export async function expectModel(page: Page): Promise<void> {
  await page.locator('model-viewer').waitFor({ state: 'attached' });
  await page.getByText('Preparing the 3D model').waitFor({ state: 'detached' });
  expect(await page.evaluate<boolean>(`document.querySelector('model-viewer')?.loaded`)).toBe(true);
}

/** Draws a line over an element, by touch where the page has it. Points are shares of its width and height. */
export async function dragOver(area: Locator, from: readonly number[], to: readonly number[]): Promise<void> {
  const page = area.page();
  const { x, y, width, height } = (await area.boundingBox())!;
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const [across, down] = [0, 1].map((axis) => from[axis]! + (to[axis]! - from[axis]!) * share);
    return { x: x + across! * width, y: y + down! * height };
  });
  if (await page.evaluate<boolean>('navigator.maxTouchPoints > 0')) {
    const session = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', steps[0]!);
    for (const step of steps.slice(1)) await send('touchMove', step);
    await send('touchEnd');
    return session.detach();
  }
  await page.mouse.move(steps[0]!.x, steps[0]!.y);
  await page.mouse.down();
  for (const step of steps.slice(1)) await page.mouse.move(step.x, step.y);
  await page.mouse.up();
}
