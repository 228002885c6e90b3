/** @tier deep, 30 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { describeConsole } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';

const FIRST_PROMPT = 'a lighthouse on a cliff at dusk, oil painting';

describeConsole('the shell', (stage) => {
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  it('leads to every screen, by links and by keys', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    const places = {
      g: 'Generate',
      b: 'Boards',
      p: 'Personas',
      u: 'Uploads',
      t: 'Team',
      s: 'Usage',
      k: 'Developers',
      d: 'Trash',
      l: 'Library',
      w: 'Audit log',
    };
    for (const name of Object.values(places)) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await heading(page, name);
    }
    for (const [key, name] of Object.entries(places)) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await heading(page, name);
      // Letters go into the prompt, which has the focus on its screen.
      await page.evaluate('document.activeElement.blur()');
    }
  });

  it('lists its keys, and finds a screen by its name', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    // A dialog that closes gives the focus back a moment later.
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await expectFocused(page.getByRole('dialog').getByRole('textbox'));
    await page.keyboard.type('usa');
    await page.getByRole('dialog').getByText('Boards').waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByText('Usage').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await heading(page, 'Usage');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expectFocused(page.getByRole('main'));
  });

  it('says in the menu of the account which version of the service runs', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: /^Account of/ }).click();
    const { body } = await stage.service.call('GET', '/health/live');
    const commit = body.commit === null ? '' : `, commit ${body.commit.slice(0, 12)}`;
    await page.getByText(`Version ${body.version}${commit}`, { exact: true }).waitFor();
    expect(asked).toContain('/health/live');
    await expectAccessible(page);
  });

  it('gives the focus to the screen that keys led to', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    const main = page.getByRole('main');
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await heading(page, 'Boards');
    await expectFocused(main);
    await page.getByRole('navigation').getByRole('link', { name: 'Team' }).press('Enter');
    await heading(page, 'Team');
    await expectFocused(main);
  });

  it('gives the focus to the prompt that G G leads to, also on its own screen', async () => {
    const page = await stage.open('/boards', { as: await stage.service.signUp() });
    await heading(page, 'Boards');
    const prompt = page.getByLabel('Prompt', { exact: true });
    for (const from of ['another screen', 'its own']) {
      await page.keyboard.press('g');
      await page.keyboard.press('g');
      await expectFocused(prompt);
      // The keys are not typed.
      await eventually(async () => (await prompt.inputValue()) !== '');
      expect([from, await prompt.inputValue()]).toEqual([from, FIRST_PROMPT]);
      await page.evaluate('document.activeElement.blur()');
    }
  });

  it('says that an address has no screen, as a page of its own', async () => {
    const page = await stage.open('/nope', { as: await stage.service.signUp() });
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'There is nothing at this address', level: 1 }).waitFor();
    await expectPresentable(page, 'no-screen');
    await page.goto('/console/boards/999999');
    await main.getByRole('heading', { name: 'There is nothing at this address', level: 1 }).waitFor();
  });

  it('shows what others add to the open list of boards', async () => {
    const user = await stage.service.signUp();
    const page = await stage.open('/boards', { as: user });
    await page.getByText('No boards yet').waitFor();
    await stage.service.call('POST', '/boards', { token: user.token, json: { name: 'Of somebody else' } });
    await page.getByText('Of somebody else').waitFor();
  });

  it('reads its lists again when the window gets the focus', async () => {
    const user = await stage.service.signUp();
    const page = await stage.open('/personas', { as: user });
    await page.getByText('Default').first().waitFor();
    await stage.service.call('POST', '/v2/personas', { token: user.token, json: { name: 'Of somebody else' } });
    await page.waitForTimeout(2100);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByText('Of somebody else').waitFor();
  });

  it('has its places at the bottom of a phone, the others behind "More"', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp(), width: 'phone' });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'Team' }).click();
    await heading(page, 'Team');
  });

  it('says that it is offline, and continues when it is online again', async () => {
    const page = await stage.open('/team', { as: await stage.service.signUp() });
    await heading(page, 'Team');
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
  });

  it('asks again for the parts of a screen that the network lost', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    const asked = new Set<string>();
    const isPart = /\/assets\/.+\.(js|css)$/;
    await page.route(isPart, (route) => {
      const url = route.request().url();
      if (asked.has(url)) return route.continue();
      asked.add(url);
      return route.abort('connectionreset');
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Boards' }).click();
    await heading(page, 'Boards');
    const styles = [...asked].filter((url) => url.endsWith('.css'));
    expect(styles).not.toEqual([]);
    const loaded = () => page.evaluate<string[]>('Array.from(document.styleSheets, ({ href }) => href)');
    await eventually(async () => {
      const all = await loaded();
      return styles.every((url) => all.includes(url));
    });
  });

  it('says that a screen cannot be loaded, and loads it on retry', async () => {
    const page = await stage.open('/', { as: await stage.service.signUp() });
    await heading(page, 'Home');
    // The failure stands in the console of the browser too.
    page.removeAllListeners('console');
    await page.route('**/assets/TrashPage-*.js', (route) => route.abort('connectionreset'));
    await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
    await page.getByText('This screen could not be loaded').waitFor();
    await expectAccessible(page);
    await page.unroute('**/assets/TrashPage-*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Trash');
  });

  it('leaves nothing behind when one signs out', async () => {
    const page = await stage.open('/team', { as: await stage.service.signUp() });
    await page.getByRole('button', { name: /^Account of/ }).click();
    // The page is loaded anew, also where a call that was under way has led to the sign-in before.
    await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: 'Sign out' }).click()]);
    await page.getByLabel('E-mail').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, Object.values(sessionStorage)])')).not.toMatch(
      /x12_/,
    );
  });
});
