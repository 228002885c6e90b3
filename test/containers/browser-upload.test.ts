/** @tier deep, 15 s, about libs/adapters/storage */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadS3 } from '#adapters/storage';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import { createBucket, type TestBucket, useGatewayCredentials } from '../support/s3-bucket.ts';
import { startService, type TestService } from '../support/service.ts';

describeInBrowser('a page of another origin', () => {
  let browser: Browser;
  let pages: Server;
  let page: Page;
  const refused: string[] = [];
  beforeAll(async () => {
    // Another origin than the API and the storage have.
    const html = await readFile(join(import.meta.dirname, '..', 'support', 'upload-page.html'));
    pages = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
  });

  describe.each(['the disk store', 'S3'])('uploads a picture to %s', (where) => {
    let bucket: TestBucket | undefined;
    let service: TestService;
    const before = { ...process.env };
    beforeAll(async () => {
      if (where === 'S3') {
        bucket = await createBucket();
        useGatewayCredentials();
        const { setUpBucket } = await loadS3();
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
  });
});
