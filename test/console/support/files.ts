import { mkdtemp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Download, Page } from 'playwright-core';
import sharp from 'sharp';

/** A PNG of one colour. */
export function png(colour: string, width = 320, height = 240): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();
}

/** The file that `work` downloads. */
export async function downloadOf(page: Page, work: Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), work]);
  return download;
}

/** Chooses files where `work` asks for them. */
export async function chooseFiles(page: Page, work: Promise<unknown>, ...files: string[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), work]);
  await chooser.setFiles(files);
}

/** Writes files into a new folder; returns the path of the folder. */
export async function filesOnDisk(files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-console-'));
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}

/**
 * Drops files or folders from outside on an element. As with a hand, the page gets events again and again that they are over
 * it, until `whileOver` has ended.
 */
export async function dropFiles(
  page: Page,
  paths: readonly string[],
  selector: string,
  whileOver: () => Promise<void> = async () => {},
): Promise<void> {
  const box = (await page.locator(selector).first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 300)];
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x, y, data });
  await send('dragEnter');
  let isOver = true;
  const hold = async () => {
    for (; isOver; await setTimeout(50)) await send('dragOver');
  };
  await Promise.all([hold(), whileOver().finally(() => (isOver = false))]);
  await send('drop');
}
