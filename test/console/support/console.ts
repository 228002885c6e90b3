import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Result, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { startService, type TestService, type TestUser } from '../../support/service.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

export const WIDTHS = { phone: { width: 375, height: 812 }, desk: { width: 1440, height: 900 } } as const;
const THEMES = ['light', 'dark'] as const;
export type Width = keyof typeof WIDTHS;
/** `it` with the main path of a screen: `'boards are made, on a %s'`. A thorough run has the phone that is touched, too. */
export const itOnEach = it.each<Width>(THOROUGH ? ['phone', 'desk'] : ['desk']);
const SIZES = { ...WIDTHS, between: { width: 768, height: 1024 } };
/** Where screenshots for looking at go; none are taken without it. */
const SHOTS = process.env.CONSOLE_SHOTS;

interface OpenOptions {
  /** Who is signed in; nobody when absent. */
  readonly as?: Pick<TestUser, 'token'>;
  readonly width?: Width;
}

/** The service with the built console, and a browser. */
export interface ConsoleStage {
  readonly service: TestService;
  readonly browser: Browser;
  /** Opens a path below `/console` in a browser session of its own. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** The same, with any path of the service. */
  visit(path: string, options?: OpenOptions): Promise<Page>;
}

/**
 * Describes the console with a service and a browser of its own. No test may leave an error in the console of a page: not
 * of a script, not of the policy. Pages that a test opens are closed at its end; those of `beforeAll` stay.
 */
export function describeConsole(
  name: string,
  tests: (stage: ConsoleStage) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  describeInBrowser(name, () => {
    const stage = {} as { -readonly [K in keyof ConsoleStage]: ConsoleStage[K] };
    const sessions = new Sessions(stage);
    const errors: string[] = [];
    let kept = 0;
    beforeAll(async () => {
      [stage.service, stage.browser] = await Promise.all([startService(env), launchBrowser()]);
    });
    afterAll(async () => {
      await stage.browser?.close();
      await stage.service?.stop();
    });
    beforeEach(() => {
      kept = sessions.open;
    });
    afterEach(async () => {
      const found = errors.splice(0);
      await sessions.end(kept);
      expect(found).toEqual([]);
    });
    stage.open = (path, options) => stage.visit(`/console${path}`, options);
    stage.visit = async (path, { as, width = 'desk' } = {}) => {
      const context = await sessions.begin(width);
      if (as) await signIn(context, stage.service.baseUrl, as.token);
      const page = await context.newPage();
      // Less than a test: what does not come is named.
      page.setDefaultTimeout(240_000);
      watch(page, errors);
      await page.goto(path);
      return page;
    };
    tests(stage);
  });
}

/**
 * The browser sessions of a file. A session that ended is cleared and used again: its process has compiled the console's
 * scripts, which takes half of the time that a page needs to open.
 */
class Sessions {
  readonly #open: { readonly width: Width; readonly context: BrowserContext }[] = [];
  readonly #idle: Record<Width, BrowserContext[]> = { phone: [], desk: [] };

  constructor(private readonly stage: ConsoleStage) {}

  get open(): number {
    return this.#open.length;
  }

  async begin(width: Width): Promise<BrowserContext> {
    const context = this.#idle[width].pop() ?? (await this.#create(width));
    this.#open.push({ width, context });
    return context;
  }

  /** Ends all but the first `kept` sessions. */
  async end(kept: number): Promise<void> {
    await Promise.all(
      this.#open.splice(kept).map(async ({ width, context }) => {
        await this.#clear(context);
        this.#idle[width].push(context);
      }),
    );
  }

  async #create(width: Width): Promise<BrowserContext> {
    const context = await this.stage.browser.newContext({
      baseURL: this.stage.service.baseUrl,
      viewport: WIDTHS[width],
      ...(width === 'phone' && { hasTouch: true, isMobile: true }),
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    // An empty page keeps the process alive between tests.
    await context.newPage();
    return context;
  }

  async #clear(context: BrowserContext): Promise<void> {
    const [empty, ...pages] = context.pages();
    await Promise.all(pages.map((page) => page.close()));
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearCookies();
    const devtools = await context.newCDPSession(empty!);
    await devtools.send('Storage.clearDataForOrigin', {
      origin: this.stage.service.baseUrl,
      storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
    });
    await devtools.detach();
  }
}

/** Gives the context the session of the token, as the sign-in would. */
async function signIn(context: BrowserContext, origin: string, token: string): Promise<void> {
  const response = await context.request.post('/v2/auth/session', { data: { token }, headers: { origin } });
  if (!response.ok()) throw new Error(`the session is refused: ${await response.text()}`);
}

/** Refused requests are part of journeys; what scripts throw and what the policy blocks is not. */
function watch(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
}

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

/** Whether the middle of an element is on the screen, with nothing over it. */
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
      // Of the rules, only that of contrast depends on the theme.
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

/** Switches the theme, and lets its transitions end: colours between two themes are of neither. */
async function showTheme(page: Page, colorScheme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The page of guests follows the system without Mantine.
  const isShown = `(document.documentElement.dataset.mantineColorScheme ?? '${colorScheme}') === '${colorScheme}' &&
    document.getAnimations().every((each) => each.effect.getComputedTiming().endTime === Infinity)`;
  await eventually(() => page.evaluate<boolean>(isShown));
}

const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe within the page: the builder of @axe-core/playwright opens another page for each run, and takes ten times as long. */
async function findViolations(page: Page, options: RunOptions): Promise<Result[]> {
  if (await page.evaluate<boolean>(`!('axe' in window)`)) await page.evaluate(await axeScript);
  const all = JSON.stringify({ resultTypes: ['violations'], ...options });
  return page.evaluate<Result[]>(`axe.run(${all}).then(({ violations }) => violations)`);
}

function describeViolation({ id, nodes }: Result, where: string): string[] {
  return nodes.map(({ target, failureSummary }) => `${where}: ${id} at ${target.join(' ')}: ${failureSummary}`);
}

/**
 * With CONSOLE_SHOTS, writes `name-desk-light.png` and so on there, at three widths and in both themes; the page is then as
 * before.
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  const before = page.viewportSize()!;
  await mkdir(SHOTS, { recursive: true });
  for (const [width, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await showTheme(page, colorScheme);
      await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}
