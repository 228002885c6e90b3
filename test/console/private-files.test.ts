/**
 * @tier deep, 60 s, about apps/console
 * Only a browser shows that pictures with signed URLs are loaded, and loaded again once those have ended.
 */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { aBoardToShare } from './support/shares.ts';

describeConsole('private files', (stage) => {
  const section = (page: Page) => page.getByRole('region', { name: 'Private files' });
  const confirm = (page: Page, action: string) =>
    page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

  /** Waits until each of at least so many pictures of the page is shown. @returns their URLs */
  async function shown(page: Page, count: number, within = 'main img'): Promise<string[]> {
    const pictures = `[...document.querySelectorAll('${within}')].filter((each) => each.src.includes('/files/'))`;
    await eventually(() =>
      page.evaluate<boolean>(
        `${pictures}.length >= ${count} && ${pictures}.every((each) => each.complete && each.naturalWidth > 0)`,
      ),
    );
    return page.evaluate<string[]>(`${pictures}.map((each) => each.src)`);
  }

  /** Switches while no file can move, shows the progress, and waits for the end. */
  async function switchTo(page: Page, action: string): Promise<void> {
    await stage.service.stopWorker();
    await section(page).getByRole('checkbox', { name: 'Files are private' }).click();
    await confirm(page, action);
    await section(page)
      .getByText(/^0 of \d+ files moved/)
      .waitFor();
    await section(page).scrollIntoViewIfNeeded();
    await expectPresentable(page, `private-files-${action.split(' ')[1]}`);
    await stage.service.startWorker();
    await section(page).getByRole('progressbar').waitFor({ state: 'detached' });
  }

  itOnEach('are chosen for a workspace and taken back, with the progress, on a %s', async (width) => {
    const { owner, board, call, share } = await aBoardToShare(stage, 3);
    const { path } = await share();
    const page = await stage.open('/account', { as: owner, width });
    await switchTo(page, 'Make private');
    expect(await call('GET', '/v2/workspace')).toMatchObject({ files: 'private', moving: null });
    await section(page).getByRole('button', { name: 'End all addresses…' }).click();
    await confirm(page, 'End all addresses');
    await section(page)
      .getByText(/^Addresses from before .* end at /)
      .waitFor();
    await expectPresentable(page, 'private-files', [width]);
    for (const screen of ['/library', `/boards/${board}`]) {
      await page.goto(`/console${screen}`);
      for (const url of await shown(page, 3, '[role=option] img')) expect(url).toContain('signature=');
    }
    const guest = await stage.visit(path, { width });
    for (const url of await shown(guest, 3)) expect(url).toContain('share=');
    await page.goto('/console/account');
    await switchTo(page, 'Make public');
    expect(await call('GET', '/v2/workspace')).toMatchObject({ files: 'public', moving: null });
  });

  it('whose URLs have ended are shown after their list was read again, once', async () => {
    const { owner, call } = await aBoardToShare(stage, 3);
    await call('PUT', '/v2/workspace', { files: 'private' });
    await eventually(async () => (await call('GET', '/v2/workspace')).moving === null);
    const page = await stage.open('/library', { as: owner });
    const [before] = await shown(page, 3, '[role=option] img');
    // The key before the former one is valid no longer.
    for (let round = 0; round < 2; round++) await call('POST', '/v2/workspace/file_key/rotate');
    expect((await page.request.get(before!)).status()).toBe(404);
    let reads = 0;
    page.on('request', (request) => {
      if (/\/v2\/library\?/.test(request.url())) reads++;
    });
    await page.getByRole('option').first().click();
    await shown(page, 1, '[role=dialog] img[alt]:not([alt=""])');
    expect(reads).toBe(1);
  });

  it('are seen by members, and chosen by admins', async () => {
    const team = await teamOf(stage.service);
    const page = await stage.open('/team', { as: await team.member() });
    await section(page).getByText('Files are public: whoever has an address can open it.').waitFor();
    expect(await section(page).getByRole('checkbox').count()).toBe(0);
    const admin = await stage.open('/team', { as: await team.member('admin') });
    await section(admin).getByRole('checkbox', { name: 'Files are private' }).click();
    await admin.getByRole('dialog', { name: 'Make all files private?' }).waitFor();
    await expectPresentable(admin, 'private-files-question');
  });
});
