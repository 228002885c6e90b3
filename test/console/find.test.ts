/** @tier test, 25 s */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { generate } from './support/generations.ts';

const SMALL = { width: 256, height: 192 };

describeConsole('find', (stage) => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Find' });
  const found = (page: Page, name: string | RegExp) => palette(page).getByRole('button', { name });

  async function openFind(page: Page, text: string) {
    await page.keyboard.press('Control+k');
    await expectFocused(palette(page).getByRole('textbox'));
    await page.keyboard.type(text);
  }

  /** A user with things that are called harbour. */
  async function withHarbours() {
    const user = await stage.service.signUp();
    const post = (path: string, json: object) => stage.service.call('POST', path, { token: user.token, json });
    await post('/boards', { name: 'Northern harbour' });
    await post('/boards', { name: 'Winter' });
    await post('/v2/personas', { name: 'نور harbour' });
    await generate(stage.service, user, { prompt: `harbour ${'W'.repeat(300)}`, ...SMALL });
    await generate(stage.service, user, { prompt: 'a lighthouse in the rain', count: 2, ...SMALL });
    const items = () => stage.service.call('GET', '/v2/library', { token: user.token });
    await eventually(async () => (await items()).body.items.length === 3);
    const [{ file_id: id }] = (await items()).body.items;
    await stage.service.call('PUT', `/v2/library/${id}`, { token: user.token, json: { tags: ['harbours at night'] } });
    return user;
  }

  it('leads to boards, personas, pictures and tags, whatever their names', async () => {
    const page = await stage.open('/team', { as: await withHarbours() });
    await heading(page, 'Team');
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await openFind(page, 'HARBOUR');
    for (const name of ['Northern harbour', 'نور harbour', /^harbour W/, 'harbours at night']) {
      await found(page, name).waitFor();
    }
    expect(await palette(page).getByText('Winter').count()).toBe(0);
    const searches = ['/boards', '/v2/personas', '/v2/library', '/v2/tags'];
    const forWhole = () => asked.filter(({ searchParams }) => [...searchParams.values()].includes('HARBOUR'));
    // The beginning of the text has found the same before.
    await eventually(() => forWhole().length >= searches.length);
    expect(
      forWhole()
        .map(({ pathname }) => pathname)
        .sort(),
    ).toEqual([...searches].sort());
    await expectPresentable(page, 'find');
    await palette(page).locator('[data-selected]').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Northern harbour');
    await openFind(page, 'harbours');
    await found(page, 'harbours at night').click();
    await heading(page, 'Library');
    expect(new URL(page.url()).searchParams.get('tags')).toBe('harbours at night');
  });

  itOnEach('finds a picture by half a word and with a typing error, once for a prompt, on a %s', async (width) => {
    const page = await stage.open('/team', { as: await withHarbours(), width });
    await heading(page, 'Team');
    for (const text of ['lighth', 'lighthuose']) {
      await openFind(page, text);
      await found(page, 'a lighthouse in the rain').locator('img').waitFor();
      expect(await found(page, 'a lighthouse in the rain').count()).toBe(1);
      await expectPresentable(page, `find-${text}`, [width]);
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
    }
    await openFind(page, 'lighth');
    await found(page, 'a lighthouse in the rain').click();
    const viewer = page.getByRole('dialog', { name: 'Viewer' });
    await viewer.getByText('a lighthouse in the rain').first().waitFor();
  });

  it('keeps newer results when an older response comes late', async () => {
    const page = await stage.open('/team', { as: await withHarbours() });
    await heading(page, 'Team');
    const late = Promise.withResolvers<void>();
    await page.route('**/v2/library?*', async (route) => {
      if (new URL(route.request().url()).searchParams.get('q') === 'harb') await late.promise;
      return route.continue();
    });
    const first = page.waitForRequest(/library\?.*q=harb/);
    await openFind(page, 'harb');
    await first;
    await palette(page).getByRole('textbox').fill('lighth');
    await found(page, 'a lighthouse in the rain').waitFor();
    await page.evaluate(`new MutationObserver(() => {
      if (document.body.textContent.includes('harbour W')) window.showedOlder = true;
    }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
    const response = page.waitForResponse(/library\?.*q=harb/);
    late.resolve();
    await (await response).finished();
    // The next input is shown.
    await palette(page).getByRole('textbox').fill('nothing like it');
    await found(page, 'a lighthouse in the rain').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.showedOlder')).toBe(undefined);
  });

  it('leads from a member to what the member made', async () => {
    const team = await teamOf(stage.service);
    const member = await team.member();
    const page = await stage.open('/team', { as: team.owner });
    await heading(page, 'Team');
    await openFind(page, member.email.slice(0, -4));
    await found(page, 'Someone').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Library');
    expect(new URL(page.url()).searchParams.get('member')).toBe(String(member.userId));
  });
});
