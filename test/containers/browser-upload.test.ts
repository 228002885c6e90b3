import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { setUpBucket } from '#adapters/storage';
import { createBucket, type TestBucket, useGatewayCredentials } from '../support/s3-bucket.ts';
import { startService, type TestService } from '../support/service.ts';

/** Debian's package `chromium`. */
const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const isThere = existsSync(CHROMIUM);
if (!isThere) {
  const missing = `no ${CHROMIUM}: uploads from a browser are not tested (apt-get install chromium)`;
  if (process.env.CONTAINERS === 'required') throw new Error(missing);
  process.stderr.write(`${missing}\n`);
}

let browser: Browser;
let pages: Server;
let page: Page;
const refused: string[] = [];
beforeAll(async () => {
  if (!isThere) return;
  // A page of somebody else's: another origin than the API and the storage have.
  const html = await readFile(join(import.meta.dirname, '..', 'support', 'upload-page.html'));
  pages = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
});

(isThere ? describe : describe.skip).each(['the disk store', 'S3'])(
  'a page of another origin uploads a picture to %s',
  (where) => {
    let bucket: TestBucket | undefined;
    let service: TestService;
    const before = { ...process.env };
    beforeAll(async () => {
      if (where === 'S3') {
        bucket = await createBucket();
        useGatewayCredentials();
        await setUpBucket(bucket.options, 2);
      }
      service = await startService(bucket?.env);
    });
    afterAll(async () => {
      await service?.stop();
      await bucket?.drop();
      process.env = before;
    });

    it.each(['fetch', 'XMLHttpRequest', 'parts'])('by %s, and shows what was saved', async (how) => {
      const { token } = await service.signUp();
      const wish = JSON.stringify({ baseUrl: service.baseUrl, token, how });
      const shown = await page.evaluate(`upload(${wish})`).catch((error: Error) => {
        throw new Error(`${error.message}\n${refused.join('\n')}`);
      });
      expect(shown).toEqual({ put: 200, etag: true, finalized: true, width: 120, height: 80, readable: true });
    });
  },
);
