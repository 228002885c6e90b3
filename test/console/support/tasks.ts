import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestUser } from '../../support/service.ts';
import { type ConsoleStage, type Width, WIDTHS } from './console.ts';

export const MOST_CLICKS = 6;

export interface Task {
  readonly name: string;
  /** A page of the console, or of a guest. */
  readonly path: string | (() => string);
  /** Ends when what was asked for is there. @returns a check that needs no clicks */
  readonly work: (page: Page, width: Width) => Promise<unknown>;
}

/** Does each task by mouse and on a phone, and counts the clicks. `WEEK=1` prints them with the seconds. */
export function itTakesFewClicks(
  stage: ConsoleStage,
  as: Pick<TestUser, 'token'>,
  isOpen: (page: Page, path: string) => Promise<unknown>,
  tasks: readonly Task[],
): void {
  it.each(tasks.flatMap((task) => (Object.keys(WIDTHS) as Width[]).map((width) => [task.name, width, task] as const)))(
    'takes at most six clicks: %s, on a %s',
    async (name, width, { path: given, work }) => {
      const path = typeof given === 'string' ? given : given();
      const page = path.startsWith('/s/') ? await stage.visit(path, { width }) : await stage.open(path, { as, width });
      await isOpen(page, path);
      const clicked = await countClicks(page);
      const start = performance.now();
      const check = await work(page, width);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const clicks = await clicked();
      if (process.env.WEEK) process.stdout.write(`${name}, ${width}: ${clicks} clicks, ${seconds} s\n`);
      if (typeof check === 'function') await check();
      expect(clicks).toBeGreaterThan(0);
      expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    },
  );
}

/** Counts presses of the mouse and touches from now on; drawing a line is one. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`{
    globalThis.clicks = 0;
    for (const type of ['pointerdown', 'touchstart'])
      addEventListener(type, (event) => event.isTrusted && event.pointerType !== 'touch' && clicks++, true);
  }`);
  return () => page.evaluate<number>('globalThis.clicks');
}
