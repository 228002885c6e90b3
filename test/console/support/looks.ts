import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { type Width, WIDTHS } from './console.ts';

const THEMES = ['light', 'dark'] as const;
/** Where screenshots for looking at go; none are taken without it. */
const SHOTS = process.env.CONSOLE_SHOTS;

/**
 * Checks the page with axe as it stands. A thorough run does so in both themes and at both widths; the page is then as
 * before.
 *
 * @param widths that of the journey, where it is made on each
 */
export async function expectAccessible(page: Page, widths = Object.keys(WIDTHS) as Width[]): Promise<void> {
  const before = page.viewportSize()!;
  const theme = await page.evaluate<'light' | 'dark'>(
    `matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'`,
  );
  if (!THOROUGH) {
    await showTheme(page, theme);
    return expectNoViolations(page, theme);
  }
  for (const width of widths) {
    await page.setViewportSize(WIDTHS[width]);
    for (const colorScheme of THEMES) {
      await showTheme(page, colorScheme);
      // Contrast is the only rule that depends on the theme.
      const options = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
      await expectNoViolations(page, `${width}, ${colorScheme}`, options);
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: theme });
}

async function expectNoViolations(page: Page, where: string, options: RunOptions = {}): Promise<void> {
  const violations = await findViolations(page, options);
  expect(violations.flatMap((violation) => describeViolation(violation, where))).toEqual([]);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect({ where, isWiderThanScreen: overflow > 0 }).toEqual({ where, isWiderThanScreen: false });
}

/**
 * Switches the theme, and lets its transitions end: colours between two themes are of neither. A list that is being
 * replaced is pale.
 */
async function showTheme(page: Page, colorScheme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The page of guests follows the system without Mantine.
  const isShown = `(document.documentElement.dataset.mantineColorScheme ?? '${colorScheme}') === '${colorScheme}' &&
    !document.querySelector('[aria-busy=true]:not([role=status])') &&
    document.getAnimations().every((each) => each.effect.getComputedTiming().endTime === Infinity)`;
  await eventually(() => page.evaluate<boolean>(isShown));
}

const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe within the page: the builder of @axe-core/playwright opens another page for each run, and takes ten times as long. */
async function findViolations(page: Page, options: RunOptions): Promise<Result[]> {
  if (await page.evaluate<boolean>(`!('axe' in window)`)) await page.evaluate(await axeScript);
  const all = JSON.stringify({ resultTypes: ['violations'], ...options });
  // Open menus and tooltips are outside the landmarks.
  return page.evaluate<Result[]>(`axe.run(${all}).then(({ violations }) => {
    const isOutside = ({ target: [at] }) => document.querySelector(at + '[role=tooltip], ' + at + ' [role=menu]');
    return violations.map(({ id, nodes, ...rest }) =>
      ({ ...rest, id, nodes: id === 'region' ? nodes.filter((node) => !isOutside(node)) : nodes }));
  })`);
}

function describeViolation({ id, nodes }: Result, where: string): string[] {
  return nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`);
}

/** Checks the page as it stands with axe, and takes screenshots of it. */
export async function expectPresentable(page: Page, name: string, widths?: Width[]): Promise<void> {
  await takeScreenshots(page, name);
  await expectAccessible(page, widths);
}

/**
 * With CONSOLE_SHOTS, writes `name-desk-light.png` and so on there, at three widths and in both themes; the page is then as
 * before.
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  const before = page.viewportSize()!;
  await mkdir(SHOTS, { recursive: true });
  const sizes = { ...WIDTHS, between: { width: 768, height: 1024 } };
  for (const [width, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await showTheme(page, colorScheme);
      await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}
