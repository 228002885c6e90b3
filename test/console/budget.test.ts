/** @tier timings, 60 s */
import { beforeAll, expect, it } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { describeConsole } from './support/console.ts';
import { eventually } from '../support/eventually.ts';
import { fillBoard } from './support/full-board.ts';
import { generate } from './support/generations.ts';
import { storePicture } from './support/editing.ts';
import { aMotif } from './support/photos.ts';
import { aBoardToShare } from './support/shares.ts';

/** Maximum bytes of the scripts, styles and fonts of each first view, compressed and with their headers. */
const SCREENS = {
  'sign-in': 230_000,
  home: 220_000,
  generate: 300_000,
  library: 300_000,
  board: 300_000,
  guest: 45_000,
};
/** Maximum mean bytes of the pictures in the tiles of a first view: a large thumbnail alone has a hundred thousand. */
const MAX_TILE_BYTES = 32_000;
const DEVICES = {
  phone: { width: 375, height: 812, deviceScaleFactor: 3, mobile: true },
  desk: { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false },
};
/** Shapes of pictures as models make them, in pixels. */
const SHAPES: readonly (readonly [width: number, height: number])[] = [
  ...([
    [1024, 1024],
    [832, 1216],
    [1216, 832],
    [1344, 768],
  ] as const),
  ...([
    [768, 1344],
    [1536, 1024],
    [1024, 1536],
  ] as const),
];
const PICTURES = 50;
const INTERACTIVE_MS = 1_500;
/** A laptop on a line of 10 Mbit/s; `referenceMs` is what `REFERENCE_WORK` takes it. */
const LAPTOP = { referenceMs: 800, roundTripMs: 40, bytesPerMs: 1_250 };
/** A phone of some years ago on a slow line of 1.6 Mbit/s. */
const PHONE = { referenceMs: 1_600, roundTripMs: 150, bytesPerMs: 200 };
/** Work of the kinds that a page does, to tell how fast this machine is at the moment. */
const REFERENCE_WORK = `{
  const list = document.createElement('ul');
  document.body.append(list);
  for (let row = 0; row < 4_000; row++) {
    const item = document.createElement('li');
    item.textContent = JSON.stringify({ row, name: 'row ' + row });
    list.append(item);
    if (row % 100 === 0) list.getBoundingClientRect();
  }
  list.remove();
}`;
/** Connection, page, scripts, session, screen, data. */
const ROUND_TRIPS = 6;
/** Connection, its encryption, page, scripts, data. */
const GUEST_ROUND_TRIPS = 5;
/** A busy machine makes a load longer, never shorter. */
const LOADS = 5;

const NOTHING_RUNS = 'Nothing runs at the moment.';

const showSignIn = (page: Page) => page.getByLabel('E-mail').waitFor();

async function showHome(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.getByText(NOTHING_RUNS).waitFor();
}

/**
 * Loads a page with nothing in the cache.
 *
 * @param text stands on the page as soon as it can be used
 * @returns the bytes until it is shown, and the processor's time of the main thread for the page and, right after it, for
 *   the reference work
 */
async function load(page: Page, path: string, text: string, isShown: (page: Page) => Promise<void>) {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  // The thread's own time: what other processes take does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let bytes = 0;
  const pictures = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Image' && pictures.add(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!pictures.has(requestId)) bytes += encodedDataLength;
  });
  // Holds back what every screen loads after it is shown: a late measurement would count it.
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/assets/Extras-*.js' }] });
  const before = await taskMs(session);
  await page.goto(path);
  await session.send('Runtime.evaluate', {
    expression: appearance(`document.body.textContent.includes(${JSON.stringify(text)})`),
    awaitPromise: true,
  });
  const shown = { shownBytes: bytes, busyMs: (await taskMs(session)) - before };
  await session.send('Fetch.disable');
  await isShown(page);
  await page.waitForLoadState('networkidle');
  const idle = await taskMs(session);
  await page.evaluate(REFERENCE_WORK);
  const referenceMs = (await taskMs(session)) - idle;
  await session.detach();
  return { ...shown, referenceMs };
}

/** The bytes of the scripts, styles and fonts that a page has requested until it shows a part, with nothing in the cache. */
async function bytesUntil(page: Page, path: string, part: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const requested = new Set<string>();
  const bytes = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (/\/assets\/.*\.(js|css|woff2)$/.test(request.url)) requested.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength));
  await page.goto(path, { waitUntil: 'commit' });
  const shown = `document.querySelector(${JSON.stringify(part)}) !== null`;
  await session.send('Runtime.evaluate', { expression: appearance(shown), awaitPromise: true });
  const first = [...requested];
  await eventually(() => first.every((id) => bytes.has(id)));
  return first.reduce((sum, id) => sum + bytes.get(id)!, 0);
}

/** Ends when the condition is drawn. A locator would run 330 kB of its own script in the page, as a part of what is measured. */
function appearance(condition: string): string {
  return `new Promise((resolve) => {
    const look = () => ${condition} && requestAnimationFrame(() => setTimeout(resolve));
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    look();
  })`;
}

/** The pictures that the first view of a page loads on a device, and their bytes, with nothing in the cache. */
async function picturesOf(page: Page, path: string, device: keyof typeof DEVICES) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setDeviceMetricsOverride', DEVICES[device]);
  const asked = new Set<string>();
  const loaded = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Image' && response.url.includes('/files/')) asked.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => loaded.set(requestId, encodedDataLength));
  await page.goto(path);
  const seen = `[...document.querySelectorAll('[role=option] img, .tile img')].filter((each) => {
    const { top, height } = each.getBoundingClientRect();
    return height > 0 && top < innerHeight;
  })`;
  await eventually(() =>
    page.evaluate<boolean>(`${seen}.length > 3 && ${seen}.every((each) => each.complete && each.naturalWidth > 0)`),
  );
  await page.waitForLoadState('networkidle');
  await session.detach();
  const bytes = [...asked].reduce((sum, id) => sum + (loaded.get(id) ?? 0), 0);
  return { tiles: asked.size, bytes };
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
}

/** Calculated from the work that was done: a throttled browser would measure what else the machine does. */
function interactiveMs(
  { shownBytes, busyMs, referenceMs }: Awaited<ReturnType<typeof load>>,
  device = LAPTOP,
  roundTrips = ROUND_TRIPS,
): number {
  const scriptMs = busyMs * (device.referenceMs / referenceMs);
  return roundTrips * device.roundTripMs + shownBytes / device.bytesPerMs + scriptMs;
}

describeConsole('the first view', (stage) => {
  const paths: Record<string, string> = { 'sign-in': '/sign-in', home: '', generate: '/generate', library: '/library' };
  let owner: { readonly token: string };
  beforeAll(async () => {
    const made = await aBoardToShare(stage);
    owner = made.owner;
    await generate(stage.service, owner, { prompt: 'a lake' });
    paths.board = `/boards/${made.board}`;
    paths.guest = (await made.share()).path;
  });

  it.each(Object.entries(SCREENS))('of %s takes at most %d bytes', async (name, most) => {
    const isPublic = name === 'sign-in' || name === 'guest';
    const part = { 'sign-in': 'form', home: 'main img', guest: 'main img' }[name] ?? '[role=option]';
    const page = await stage.visit('/mark.svg', isPublic ? {} : { as: owner });
    const path = name === 'guest' ? paths.guest! : `/console${paths[name]}`;
    const bytes = await bytesUntil(page, path, part);
    if (process.env.BUDGETS) process.stdout.write(`${name} ${bytes}\n`);
    expect(bytes).toBeLessThan(most);
    // Fewer bytes would mean that something was not counted.
    expect(bytes).toBeGreaterThan(most * 0.75);
  });

  it('loads pictures of the size of their tiles, and none stays empty', async () => {
    const { owner: by, board, call, prepared, share } = await aBoardToShare(stage, 0);
    const put = async (at: number) => {
      const url = await storePicture(stage.service, by, await aMotif(at, ...SHAPES[at % SHAPES.length]!));
      await call('POST', `/boards/${board}/media`, { url });
    };
    for (let at = 0; at < PICTURES; at += 5) await Promise.all([0, 1, 2, 3, 4].map((more) => put(at + more)));
    await prepared();
    const { path } = await share();
    for (const device of ['phone', 'desk'] as const) {
      for (const [screen, to] of Object.entries({ library: '/console/library', guest: path })) {
        const page = await stage.visit('/mark.svg', screen === 'guest' ? {} : { as: by });
        const { tiles, bytes } = await picturesOf(page, to, device);
        if (process.env.BUDGETS) process.stdout.write(`${screen} ${device} ${tiles} tiles ${bytes}\n`);
        expect([screen, device, bytes / tiles < MAX_TILE_BYTES, tiles > 10]).toEqual([screen, device, true, true]);
      }
    }
  });

  /** Loads a page several times: all from the service. */
  async function loadsOf(page: Page, path: string, text: string, isShown: typeof showHome) {
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    const loads = [];
    for (let count = 0; count < LOADS; count++) loads.push(await load(page, path, text, isShown));
    if (process.env.BUDGETS) process.stdout.write(`${path} ${JSON.stringify(loads)}\n`);
    expect([...origins]).toEqual([stage.service.baseUrl]);
    return loads;
  }

  it.each([
    ['/console/sign-in', false, 'E-mail', showSignIn],
    ['/console', true, NOTHING_RUNS, showHome],
  ] as const)('of %s is all from the service, and soon interactive', async (path, isSignedIn, text, isShown) => {
    const page = await stage.open('/sign-in', isSignedIn ? { as: await stage.service.signUp() } : {});
    const loads = await loadsOf(page, path, text, isShown);
    expect(Math.min(...loads.map((each) => interactiveMs(each)))).toBeLessThan(INTERACTIVE_MS);
  });

  it('of a guest is all from the service, and soon interactive on a phone', async () => {
    const { board, share } = await aBoardToShare(stage);
    await fillBoard(stage.service, board, 117, null);
    const { path } = await share();
    const page = await stage.visit(path, { width: 'phone' });
    const showGallery = (shown: Page) => shown.getByText('0 of 120 decided').waitFor();
    const loads = await loadsOf(page, path, 'Summer', showGallery);
    const ready = loads.map((each) => interactiveMs(each, PHONE, GUEST_ROUND_TRIPS));
    expect(Math.min(...ready)).toBeLessThan(INTERACTIVE_MS);
  });
});
