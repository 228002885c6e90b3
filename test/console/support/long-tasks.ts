import type { Page } from 'playwright-core';

/**
 * Does `work` in the page. The time of the processor counts, not that of other programs which the task waited for.
 *
 * @returns milliseconds of the longest task of the page's scripts, layout and painting meanwhile
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('no task was traced');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

interface Step {
  /** CSS pixels. */
  readonly down: number;
  readonly across?: number;
}

/** As by a wheel, then by the keys for pages, then by the scroll bar. */
const FAR: readonly Step[] = [300, 300, 300, 300, 300, 300, 900, 900, 20_000, 20_000, -15_000].map((down) => ({
  down,
}));

/** Scrolls the page, or the element of an expression, a step in each frame. */
export async function scroll(
  page: Page,
  steps: readonly Step[] = FAR,
  element = 'document.scrollingElement',
): Promise<void> {
  await page.evaluate(`(async () => {
    for (const { down, across = 0 } of ${JSON.stringify(steps)}) {
      ${element}.scrollBy(across, down);
      await new Promise(requestAnimationFrame);
    }
    await new Promise((settled) => setTimeout(settled, 200));
  })()`);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the thread. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}
