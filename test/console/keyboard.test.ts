/** @tier deep, 100 s, about apps/console */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole } from './support/console.ts';
import { downloadOf } from './support/files.ts';
import { expectAccessible } from './support/looks.ts';
import { expectFocused } from './support/pages.ts';
import { aBoardToShare } from './support/shares.ts';
import { button, tiles, viewer } from './support/studio.ts';
import { bodiesFor } from '../support/use-service.ts';

const TOKEN = 'operators-only-0123456789-abcdefghijk';
/** More than any screen has. */
const STOPS = 120;

type Role = Parameters<Page['getByRole']>[0];

/** Each screen, and what people come for. */
const SCREENS: readonly (readonly [path: string, role: Role, name: string | RegExp])[] = [
  ['/', 'link', /^Give a persona its look/],
  ['/generate', 'button', /^Generate/],
  ['/library', 'link', 'Generate'],
  ['/personas', 'button', 'New persona'],
  ['/personas/:persona', 'button', /^Slot 7, .*: empty$/],
  ['/boards', 'button', 'New board'],
  ['/boards/:board', 'button', 'New folder'],
  ['/uploads', 'button', 'Choose files'],
  ['/team', 'button', /^Actions for/],
  ['/usage', 'link', 'Generate something'],
  ['/tokens', 'button', 'New token'],
  ['/audit', 'button', 'Download CSV'],
  ['/account', 'button', 'Save name'],
  ['/tokens?tab=webhooks', 'button', 'Show the secret'],
];

/** Dialogs and menus over a screen, and the buttons that open them. */
const OPENED: readonly (readonly [path: string, button: string | RegExp, role: 'dialog' | 'menu'])[] = [
  ['/personas', 'New persona', 'dialog'],
  ['/boards', 'New board', 'dialog'],
  ['/team', 'Invite', 'dialog'],
  ['/team', /^Actions for/, 'menu'],
  ['/tokens', 'New token', 'dialog'],
  ['/', /^Account of/, 'menu'],
  ['/generate', /^Model:/, 'dialog'],
];

describeConsole(
  'the keyboard alone',
  (stage) => {
    let page: Page;
    const ids: Record<string, number> = {};
    const open = (path: string) => page.goto(`/console${path.replace(/:(\w+)/, (_, name) => String(ids[name]))}`);
    const skip = () => page.getByRole('link', { name: 'Skip to content' });

    beforeAll(async () => {
      const { owner, member } = await teamOf(stage.service);
      await member();
      const call = bodiesFor(stage, owner);
      ids.persona = (await call('POST', '/v2/personas', { name: 'Summer' })).persona.id;
      ids.board = (await call('POST', '/boards', { name: 'Summer' })).board.id;
      page = await stage.open('/', { as: owner });
    });
    afterAll(() => page?.close());

    it.each(SCREENS)('reaches what %s is for, sees where it is, and is trapped nowhere', async (path, role, name) => {
      await open(path);
      const main = page.getByRole('main').getByRole(role, { name, exact: true }).first();
      await main.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await expectFocused(skip());
      await page.keyboard.press('Enter');
      await expectFocused(page.getByRole('main'));
      await tabTo(page, main);
      await tabTo(page, skip());
    });

    it.each(['/inbox', '/shares', '/batches', '/trash', '/nope'])('finds no fault by axe on %s', async (path) => {
      await open(path);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await expectAccessible(page);
    });

    it('reaches how to sign in without an account', async () => {
      const theirs = await stage.open('/sign-in');
      await tabTo(theirs, theirs.getByRole('button', { name: 'Sign in', exact: true }));
      await theirs.close();
    });

    it.each(OPENED)('on %s opens by %s a %s that keeps the focus, and gives it back', async (path, name, role) => {
      await open(path);
      const button = page.getByRole('button', { name }).first();
      const opened = page.getByRole(role).first();
      for (const key of ['Enter', 'Space']) {
        await button.press(key);
        await opened.waitFor();
        await focusIn(page, role);
        for (const step of ['Tab', 'Tab', 'Shift+Tab'].slice(role === 'menu' ? 3 : 0)) {
          await page.keyboard.press(step);
          await focusIn(page, role);
        }
        await page.keyboard.press('Escape');
        await opened.waitFor({ state: 'hidden' });
        await expectFocused(button);
      }
    });

    it('walks through menus and tabs by arrow keys', async () => {
      await open('/tokens');
      await page.getByRole('tab', { name: 'Tokens' }).focus();
      for (const [key, name] of Object.entries({ ArrowRight: 'Webhooks', ArrowLeft: 'Tokens' })) {
        await page.keyboard.press(key);
        await expectFocused(page.getByRole('tab', { name, selected: true }));
      }
      await page.getByRole('button', { name: /^Account of/ }).press('Enter');
      const items = page.getByRole('menuitem');
      await expectFocused(items.first());
      await page.keyboard.press('ArrowUp');
      await expectFocused(items.last());
    });

    it('does the ten most frequent tasks of a week, one after another', async () => {
      const { owner, member } = await teamOf(stage.service);
      const call = bodiesFor(stage, owner);
      const { board, media } = await aBoardToShare(stage, 3, owner);
      const colleague = await member();
      const about = { text: 'warmer light', decision: 'changes_requested' };
      await call('PUT', `/boards/${board}/media/${media[0]!.id}/decision`, about, colleague);
      const own = await stage.open('/boards', { as: owner });
      await own.evaluate(`addEventListener('pointerdown', () => { globalThis.hasClicked = true; }, true)`);
      const { keyboard } = own;
      const go = async (key: string, heading: string) => {
        await keyboard.press('g');
        await keyboard.press(key);
        await own.getByRole('heading', { name: heading, level: 1 }).waitFor();
      };
      const items = async (query = '') => (await call('GET', `/v2/library${query}`)).items;
      const selection = own.getByRole('region', { name: 'Selection' });
      await own.getByRole('heading', { name: 'Boards', level: 1 }).waitFor();

      // A picture is made.
      await keyboard.type('gga red fox');
      await keyboard.press('Control+Enter');
      await eventually(async () => (await items('?q=fox')).length === 1);
      await keyboard.press('Escape');
      // It is found by half a word, and opened.
      await go('l', 'Library');
      await keyboard.press('/');
      await keyboard.type('red');
      await eventually(async () => (await tiles(own).count()) === 1);
      const grid = own.getByRole('listbox', { name: /^Pictures/ });
      await tabTo(own, grid);
      await keyboard.press('Enter');
      await viewer(own).waitFor();
      // It is renamed, rated and tagged.
      await keyboard.press('F2');
      await expectFocused(viewer(own).getByRole('textbox', { name: 'Name', exact: true }));
      await keyboard.press('Control+a');
      await keyboard.type('Ember');
      await keyboard.press('Enter');
      await eventually(async () => (await items('?q=ember')).length === 1);
      await keyboard.press('4');
      await keyboard.press('t');
      await expectFocused(own.getByRole('dialog', { name: 'Tag 1 item' }).getByLabel('Tags'));
      await keyboard.type('autumn');
      await keyboard.press('Enter');
      await tabTo(own, own.getByRole('dialog', { name: 'Tag 1 item' }).getByRole('button', { name: 'Save' }));
      await keyboard.press('Enter');
      await eventually(async () => (await items('?tag=autumn&rating=4')).length === 1);
      // It is varied, and put on a board.
      await own.getByRole('dialog', { name: 'Tag 1 item' }).waitFor({ state: 'detached' });
      await tabTo(own, button(viewer(own), /^Vary/));
      await keyboard.press('Enter');
      await eventually(async () => (await items('?q=red fox')).length === 2);
      await keyboard.press('b');
      const boards = own.getByRole('dialog', { name: 'Put on a board' });
      await tabTo(own, boards.getByRole('button', { name: 'Put on board' }));
      await keyboard.press('Enter');
      await eventually(async () => (await call('GET', `/boards/${board}`)).board.media_count === 4);
      await boards.waitFor({ state: 'detached' });
      await keyboard.press('Escape');
      await viewer(own).waitFor({ state: 'detached' });
      // All are selected, compared and downloaded.
      await expectFocused(grid);
      await keyboard.press('/');
      await keyboard.press('Control+a');
      await keyboard.press('Backspace');
      await tiles(own).nth(3).waitFor();
      await tabTo(own, grid);
      await keyboard.press('Control+a');
      await selection.waitFor();
      const zip = await downloadOf(own, keyboard.press('d'));
      expect(zip.suggestedFilename()).toMatch(/\.zip$/);
      await keyboard.press('c');
      await own.getByRole('dialog', { name: 'Compare' }).waitFor();
      await keyboard.press('Escape');
      await own.getByRole('dialog', { name: 'Compare' }).waitFor({ state: 'detached' });
      // A request of the inbox is answered.
      await own.evaluate('document.activeElement.blur()');
      await go('i', 'Inbox');
      await tabTo(own, own.getByRole('link', { name: /asked for changes/ }));
      await keyboard.press('Enter');
      await tabTo(own, viewer(own).getByLabel('Write a comment'));
      await keyboard.type('Tomorrow.');
      await keyboard.press('Control+Enter');
      await viewer(own).getByText('Tomorrow.').first().waitFor();
      // The first one leaves the field.
      for (let time = 1; time <= 2; time++) await keyboard.press('Escape');
      await viewer(own).waitFor({ state: 'detached' });
      // The board is ordered, and shared.
      const list = own.getByRole('listbox', { name: 'Media' });
      await tabTo(own, list);
      const order = async () =>
        (await call('GET', `/boards/${board}/media?sort=manual`)).media.map(({ id }: { id: number }) => id);
      const [first, second] = await order();
      await keyboard.press('Home');
      await keyboard.press('Alt+ArrowRight');
      await eventually(async () => String((await order()).slice(0, 2)) === String([second, first]));
      await tabTo(own, button(own, 'Share…'));
      await keyboard.press('Enter');
      await tabTo(own, button(own.getByRole('dialog'), 'Make the link'));
      await keyboard.press('Enter');
      await own.getByRole('dialog').getByLabel('Link', { exact: true }).waitFor();
      expect(await own.evaluate('globalThis.hasClicked ?? false')).toBe(false);
    });

    it('unlocks the screen of the operator, and goes through its parts', async () => {
      await open('/operator');
      await tabTo(page, page.getByLabel('ADMIN_TOKEN', { exact: true }));
      await page.keyboard.type(TOKEN);
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('tab', { name: 'Health' }));
      await page.keyboard.press('ArrowRight');
      await expectFocused(page.getByRole('tab', { name: 'Providers', selected: true }));
      await tabTo(page, skip());
    });
  },
  { ADMIN_TOKEN: TOKEN },
);

const focusIn = (page: Page, role: string) =>
  eventually(() => page.evaluate<boolean>(`document.activeElement.closest('[role=${role}]') !== null`));

/** Presses Tab until an element has the focus; whatever has it on the way shows so. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: 'attached' });
  const passed: string[] = [];
  for (let stop = 0; stop < STOPS; stop++) {
    await page.keyboard.press('Tab');
    const { name, isSeen } = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUS);
    passed.push(name);
    expect({ name, isSeen }).toEqual({ name, isSeen: true });
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error(`Tab does not lead there, but to ${passed.join(', ')}`);
}

/**
 * The focused element, and whether the focus is visible: an outline around it or its label, or the border of a field.
 */
const FOCUS = `(() => {
  const element = document.activeElement;
  const name = element.ariaLabel ?? (element.innerText || element.placeholder || element.outerHTML).slice(0, 80);
  if (element === document.body) return { name: 'the page', isSeen: true };
  // A grid keeps the focus, and marks a tile within.
  const tile = document.getElementById(element.getAttribute('aria-activedescendant'));
  if (tile) return { name, isSeen: getComputedStyle(tile, '::after').boxShadow.includes('0px 0px 0px 3px') };
  const isOutlined = (part, pseudo) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part, pseudo);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  const style = getComputedStyle(element);
  const isFieldMarked = style.getPropertyValue('--input-bd') !== '' &&
    style.getPropertyValue('--input-bd') === style.getPropertyValue('--input-bd-focus');
  const around = [element, element.nextElementSibling, element.parentElement].filter(Boolean);
  const hasSize = (part) => part.getBoundingClientRect().width > 0 && part.getBoundingClientRect().height > 0;
  const isMarked = (isFieldMarked || isOutlined(element, '::after')) && hasSize(element);
  return { name, isSeen: isMarked || around.some((part) => isOutlined(part) && hasSize(part)) };
})()`;
