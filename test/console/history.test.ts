import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import {
  describeConsole,
  expectAccessible,
  expectFocused,
  isInSight,
  takeScreenshots,
  touchAndHold,
  WIDTHS,
} from './support/console.ts';
import { fillHistory, generate } from './support/generations.ts';

const SMALL = { width: 256, height: 192 };
/** Far more than fit into a window. */
const MANY = 300;

describeConsole('the history', (stage) => {
  const rowsOf = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('listitem');

  it('explains how to begin, and how to change filters without matches', async () => {
    const page = await stage.open('/history', { as: await stage.service.signUp() });
    await page.getByText('Nothing was generated yet').waitFor();
    await page.goto('/console/history?state=failed&from=2020-01-01&persona=x');
    await page.getByText('No generation matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().press('Enter');
    await page.getByText('Nothing was generated yet').waitFor();
    expect(new URL(page.url()).searchParams.has('state')).toBe(false);
  });

  it('is filtered, opened and compared by keyboard, with its state in the address', async () => {
    const me = await stage.service.signUp();
    await generate(stage.service, me, { prompt: 'a house', ...SMALL });
    await fillHistory(stage.service, me, MANY);
    const fox = await generate(stage.service, me, { prompt: 'a fox in the snow', seed: 1, ...SMALL });
    const other = await generate(stage.service, me, { prompt: 'שועל בשלג '.repeat(40), seed: 2, ...SMALL });
    const page = await stage.open('/history', { as: me });
    await rowsOf(page).first().waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(40);

    await page.getByLabel(`Choose generation ${fox.id} for`).press('Space');
    await page.getByLabel(`Choose generation ${other.id} for`).press('Space');
    const said = page.getByRole('status').filter({ hasText: 'chosen' });
    expect(await said.innerText()).toContain('Two generations are chosen.');
    const third = rowsOf(page).getByRole('checkbox', { checked: false }).first();
    const thirdId = Number(/\d+/.exec((await third.getAttribute('aria-label'))!)![0]);
    await third.press('Space');
    await said.getByText(`Only two can be compared: generation ${fox.id} is no longer chosen.`).waitFor();
    await expectAccessible(page);
    await takeScreenshots(page, 'history-replaced');
    await page.getByLabel(`Choose generation ${thirdId} for`).press('Space');
    await page.getByLabel(`Choose generation ${fox.id} for`).press('Space');
    await page.getByRole('button', { name: 'Compare' }).press('Enter');
    const comparison = page.getByRole('dialog', { name: 'Compare' });
    await comparison.getByRole('slider').press('ArrowRight');
    expect(await comparison.getByRole('slider').inputValue()).toBe('51');
    expect(new URL(page.url()).searchParams.get('compare')).toBe(`${other.id}-${fox.id}`);
    await comparison.getByRole('rowheader', { name: 'Seed' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await comparison.waitFor({ state: 'hidden' });
    // Focus returns after the dialog has gone.
    await expectFocused(page.getByRole('button', { name: 'Compare' }));

    await page.getByRole('combobox', { name: 'State' }).focus();
    await page.keyboard.type('fail');
    await page.getByRole('option', { name: 'Failed' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => new URL(page.url()).searchParams.get('state') === 'failed');
    await rowsOf(page).first().getByText('the image could not be fetched').waitFor();
    await rowsOf(page).first().getByRole('button').press('Enter');
    const details = page.getByRole('dialog', { name: /Generation \d+/ });
    await details.getByText('Check the address of the picture').waitFor();
    await details.getByText('4 credits are back').waitFor();
    await page.goBack();
    await details.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('state')).toBe('failed');
  });

  it('folds all filters but the state on a phone, behind a button that says how many are set', async () => {
    const path = '/history?state=failed&model=local-image&from=2020-01-01';
    const page = await stage.open(path, { as: await stage.service.signUp(), width: 'phone' });
    await page.getByRole('combobox', { name: 'State' }).waitFor();
    await takeScreenshots(page, 'history-folded');
    expect(await page.getByLabel('From').isVisible()).toBe(false);
    const fold = page.getByRole('button', { name: 'Filters (2)' });
    await fold.press('Enter');
    await expectAccessible(page);
    await takeScreenshots(page, 'history-unfolded');
    await fold.press('Tab');
    await expectFocused(page.getByRole('combobox', { name: 'Model' }));
    await page.getByLabel('From').fill('');
    await page.getByRole('button', { name: 'Filters (1)', expanded: true }).press('Enter');
    await page.getByLabel('From').waitFor({ state: 'hidden' });
    await page.setViewportSize(WIDTHS.desk);
    await page.getByLabel('From').waitFor();
    expect(await page.getByRole('button', { name: /^Filters/ }).isVisible()).toBe(false);
  });

  it('is opened by a tap on a phone, and compared by holding two', async () => {
    const me = await stage.service.signUp();
    await generate(stage.service, me, { prompt: 'a house', ...SMALL });
    await generate(stage.service, me, { prompt: 'a fox', ...SMALL });
    const page = await stage.open('/history', { as: me, width: 'phone' });
    await touchAndHold(rowsOf(page).first());
    await touchAndHold(rowsOf(page).last());
    const compare = page.getByRole('button', { name: 'Compare' });
    expect(await isInSight(compare)).toBe(true);
    await takeScreenshots(page, 'history-held');
    await compare.tap();
    await page.getByRole('dialog', { name: 'Compare' }).getByText('a house').first().waitFor();
    await page.goBack();
    await rowsOf(page).first().getByRole('button').tap();
    await page
      .getByRole('dialog', { name: /Generation \d+/ })
      .getByRole('button', { name: 'Open a fox' })
      .waitFor();
  });

  it('loads more as it is scrolled; what an address names opens, and its settings are used again', async () => {
    const me = await stage.service.signUp();
    const { id } = await generate(stage.service, me, { prompt: 'a house', ...SMALL });
    await fillHistory(stage.service, me, MANY);
    const page = await stage.open(`/history?open=${id}`, { as: me });
    const details = page.getByRole('dialog', { name: `Generation ${id}` });
    await details.getByRole('button', { name: 'Open a house' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    const last = async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return Number(await rowsOf(page).last().getAttribute('aria-posinset'));
    };
    await eventually(async () => (await last()) === MANY + 1);
    await rowsOf(page).last().getByRole('button').press('Enter');
    await details.getByRole('link', { name: 'Use these settings again' }).press('Enter');
    await eventually(async () => (await page.getByLabel('Prompt').inputValue()) === 'a house');
    expect(await page.getByLabel('Width', { exact: true }).inputValue()).toBe('256');
    expect(new URL(page.url()).search).toBe(`?from=${id}`);
  });

  it('says so when a generation is not there', async () => {
    const page = await stage.open('/history?open=999999999', { as: await stage.service.signUp() });
    await page.getByRole('dialog').getByRole('alert').getByText('Request').waitFor();
  });
});
