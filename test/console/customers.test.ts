/** @tier deep, 30 s, about apps/console */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { downloadOf } from './support/files.ts';
import { generate } from './support/generations.ts';
import { expectPresentable } from './support/looks.ts';

const SMALL = { width: 128, height: 96 };
const LONG = `${'😀'.repeat(200)} مرحبا`;

describeConsole('customers', (stage) => {
  const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name });

  itOnEach('get a budget by mouse, and are found in the list, the usage and the library, on a %s', async (width) => {
    const me = await stage.service.signUp();
    const page = await stage.open('/tokens?tab=customers', { as: me, width });
    await page.getByText('No customers yet').waitFor();
    await page.getByRole('button', { name: 'New customer…' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('user-4711');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.getByRole('spinbutton', { name: 'Credits a month' }).fill('1000000001');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Credits a month must be .* 1,?000,?000,?000\.$/).waitFor();
    await page.getByRole('spinbutton', { name: 'Credits a month' }).fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'user-4711').getByText('0 of 20 credits').waitFor();

    const metadata = { order: 'A-17' };
    const made = await generate(stage.service, me, { ...SMALL, prompt: 'a fox', customer: 'user-4711', metadata });
    await generate(stage.service, me, { ...SMALL, prompt: 'an owl', customer: LONG });
    await generate(stage.service, me, { ...SMALL, prompt: 'a hare' });
    await page.reload();
    await row(page, 'user-4711').getByText('4 of 20 credits').waitFor();
    await row(page, LONG).getByText('4 credits, no limit').first().waitFor();
    await expectPresentable(page, 'customers', [width]);
    await page.getByRole('button', { name: 'Edit… user-4711' }).click();
    await page.getByRole('spinbutton', { name: 'Credits in all' }).fill('4');
    await page.getByRole('spinbutton', { name: 'Credits a month' }).fill('');
    await expectPresentable(page, 'customer-edit', [width]);
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'user-4711').getByText('4 of 4 credits').waitFor();

    await page.getByRole('link', { name: 'Usage of user-4711' }).click();
    await page.getByText('4 credits in 1 generation').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('12 credits in 3 generations').waitFor();
    await page.getByText('Customers', { exact: true }).click();
    await row(page, 'No customer').waitFor();
    await row(page, LONG).scrollIntoViewIfNeeded();
    await expectPresentable(page, 'usage-by-customer', [width]);
    const download = await downloadOf(page, page.getByRole('button', { name: 'Download CSV' }).click());
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines.toSorted()).toEqual(
      ['\uFEFFcustomer,credits,reserved,generations', 'user-4711,4,0,1', `${LONG},4,0,1`, ',4,0,1', ''].toSorted(),
    );
    await page.getByRole('link', { name: 'user-4711' }).click();
    await page.getByText('4 credits in 1 generation').waitFor();

    await page.goto('/console/tokens?tab=customers');
    await page.getByRole('link', { name: 'Pictures of user-4711' }).click();
    const tiles = page.getByRole('listbox', { name: 'Pictures, videos and models' }).getByRole('option');
    await page.getByText('Customer: user-4711').waitFor();
    await page.getByRole('option', { name: /a fox/ }).waitFor();
    await eventually(async () => (await tiles.count()) === 1);
    await expectPresentable(page, 'library-of-customer', [width]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await tiles.nth(2).waitFor();

    await page.goto(`/console/library?generation=${made.id}`);
    if (width === 'phone') await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    await page.getByText('A-17').waitFor();
    await page.getByText('user-4711').waitFor();
    await page.getByRole('heading', { name: 'Metadata' }).scrollIntoViewIfNeeded();
    await expectPresentable(page, 'generation-of-customer', [width]);
  });

  it('are for admins and the owner', async () => {
    const team = await teamOf(stage.service);
    const page = await stage.open('/tokens?tab=customers', { as: await team.member() });
    await page.getByText('Customers are for admins and the owner').waitFor();
    await page.goto('/console/usage?by=customer');
    await page.getByText(/^Nothing was used in/).waitFor();
  });
});
