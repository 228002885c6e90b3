/** @tier test, 10 s */
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { documentsIn } from '../support/read-zip.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';

describeConsole('the export of an account', (stage) => {
  itOnEach('is requested by keys alone, followed, and downloaded, on a %s', async (width) => {
    const user = await stage.service.signUp();
    const page = await stage.open('/account', { as: user, width });
    const section = page.getByRole('region', { name: 'Export your data' });
    const request = section.getByRole('button', { name: 'Export my data' });
    await request.waitFor();
    await expectAccessible(page);
    await stage.service.stopWorker();
    await request.focus();
    await page.keyboard.press('Enter');
    await section.getByRole('status').getByText('Your data are being collected.').waitFor();
    await expectFocused(request);
    await expectAccessible(page);
    await request.scrollIntoViewIfNeeded();
    await stage.service.startWorker();
    const link = section.getByRole('link', { name: 'Download the zip' });
    await section.getByText(/^Your zip is ready: .+, until .+\.$/).waitFor();
    await expectAccessible(page);
    await link.scrollIntoViewIfNeeded();
    const downloading = page.waitForEvent('download');
    await link.focus();
    await page.keyboard.press('Enter');
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^x12-export-[\d-]+\.zip$/);
    const documents = await documentsIn(await readFile(await download.path()));
    expect(documents['profile.json'][0].email).toBe(user.email);

    await section.getByRole('button', { name: 'Export again' }).click();
    await link.waitFor({ state: 'detached' });
    await link.waitFor();
  });
});
