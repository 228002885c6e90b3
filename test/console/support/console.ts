import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startService, type TestService, type TestUser } from '../../support/service.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';

export const WIDTHS = { phone: { width: 375, height: 812 }, desk: { width: 1440, height: 900 } } as const;
export type Width = keyof typeof WIDTHS;
/** `it` with the main path of a screen: `'boards are made, on a %s'`. A thorough run has the phone that is touched, too. */
export const itOnEach = it.each<Width>(THOROUGH ? ['phone', 'desk'] : ['desk']);

interface OpenOptions {
  /** The signed-in user; nobody when absent. */
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
 * of a script, not of the policy. Pages that a test opens are closed at its end, and a worker that it has stopped runs
 * again; pages of `beforeAll` stay.
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
      await stage.service.startWorker();
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
