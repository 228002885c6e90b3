/** @tier deep, 30 s, about apps/console */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';
import { downloadOf } from './support/files.ts';

/** More than three pages. */
const MANY = 170;

describeConsole('the audit log', (stage) => {
  const team = prepared(() => teamOf(stage.service));
  const admin = prepared(() => team.member('admin'));
  const member = prepared(() => team.member());
  let board: number;
  beforeAll(async () => {
    board = (await call('POST', '/boards', { name: 'Moods' })).board.id;
    await call('DELETE', `/boards/${board}`);
    await call('POST', '/v2/auth/tokens', { name: 'CI', scopes: ['read', 'generate'] });
  });

  const call = bodiesFor(stage, admin);
  const rows = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
  const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
  const filters = (page: Page) => {
    const { after, before, ...others } = Object.fromEntries(new URL(page.url()).searchParams);
    return { after, before, ...others };
  };
  /** On a phone most filters are behind a button. */
  const unfold = async (page: Page) => {
    const button = page.getByRole('button', { name: /^Filters/ });
    if (await button.isVisible()) await button.press('Enter');
  };

  itOnEach('reads as sentences, and is filtered by keyboard in the address, on a %s', async (width) => {
    const page = await stage.open('/audit', { as: admin, width });
    const created = row(page, 'created the token “CI” with the scopes read, generate');
    await created.getByText(/API token · (127\.0\.0\.1|::)/).waitFor();
    await row(page, 'deleted the board “Moods”').waitFor();
    await created.getByRole('button', { expanded: false }).press('Enter');
    await created.getByText('read, generate', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toMatch(/^\d+$/);
    await expectPresentable(page, 'audit-details', [width]);

    await created.getByRole('button', { name: 'Only this action' }).press('Enter');
    await row(page, 'deleted the board').waitFor({ state: 'detached' });
    expect(filters(page)).toEqual({ action: 'token.create' });
    await page.goBack();
    await row(page, 'deleted the board').waitFor();
    await page.goForward();
    await row(page, 'deleted the board').waitFor({ state: 'detached' });
    await unfold(page);
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
    await page.getByLabel('About').fill(`board:${board}`);
    await page.getByLabel('About').press('Enter');
    await row(page, 'created the token').waitFor({ state: 'detached' });
    await row(page, 'deleted the board “Moods”').waitFor();
    expect(filters(page)).toEqual({ target: `board:${board}` });
  });

  itOnEach('is filtered by mouse; a link gives the same view, on a %s', async (width) => {
    const page = await stage.open('/audit', { as: admin, width });
    await row(page, 'deleted the board').waitFor();
    await page.getByRole('combobox', { name: 'Who' }).click();
    await page.getByRole('option', { name: admin.email }).click();
    await unfold(page);
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Board deleted', exact: true }).click();
    await page.getByLabel('From').fill('2026-01-01');
    await row(page, 'created the token').waitFor({ state: 'detached' });
    const link = new URL(page.url());
    expect(filters(page)).toMatchObject({ action: 'board.delete', after: '2026-01-01' });
    await expectPresentable(page, 'audit-filters', [width]);

    const other = await stage.open(link.pathname.replace('/console', '') + link.search, { as: admin, width });
    await row(other, 'deleted the board “Moods”').waitFor();
    expect(await rows(other).count()).toBe(1);
    expect(await other.getByRole('combobox', { name: 'Who' }).inputValue()).toBe(admin.email);
  });

  it('is read in pages, and downloaded as CSV with all that matches', async () => {
    const { workspace } = await call('GET', '/v2/auth/me');
    await stage.service.database.query(
      `insert into audit_log (workspace_id, at, actor, action, target_type, target_id, target_name, details)
       select $1, now() - n * interval '1 minute', 'system', 'persona.erase', 'persona', n, 'Muse ' || n, '{}'
       from generate_series(1, ${MANY}) n`,
      [workspace.id],
    );
    const page = await stage.open('/audit?actor=system', { as: admin });
    await row(page, 'deleted the persona “Muse 1” for good').waitFor();
    await eventually(async () => {
      await page.mouse.wheel(0, 4000);
      return row(page, `“Muse ${MANY}”`).isVisible();
    });
    const download = await downloadOf(page, page.getByRole('button', { name: 'Download CSV' }).click());
    expect(download.suggestedFilename()).toBe('audit.csv');
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.startsWith('\uFEFFid,at,actor')).toBe(true);
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(MANY);
    for (const line of lines) expect(line).toContain(',persona.erase,persona,');
  });

  it('says which filter is wrong, and that nothing matches', async () => {
    const page = await stage.open('/audit?target=board', { as: admin, width: 'phone' });
    await page.getByText(/^About must be a type and an id, such as board:7/).waitFor();
    await expectPresentable(page, 'audit-wrong');
    await page.getByLabel('About').fill('board:999999');
    await page.getByLabel('About').press('Tab');
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await row(page, 'deleted the board').waitFor();
    await page.route('**/v2/audit*', (route) =>
      route.fulfill({ status: 500, json: { status: false, code: 'internal_error', message: 'broken' } }),
    );
    await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
    await page.getByText('The CSV was not downloaded').waitFor();
  });

  it('is neither offered to members nor read by them', async () => {
    const page = await stage.open('/', { as: member });
    await page.getByRole('navigation').getByRole('link', { name: 'Developers' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname));
    await page.goto('/console/audit');
    await page.getByText('Only admins see the audit log').waitFor();
    await page.waitForLoadState('networkidle');
    expect(read).not.toContain('/v2/audit');
    await expectPresentable(page, 'audit-member');
    const theirs = await stage.open('/', { as: admin });
    await theirs.getByRole('navigation').getByRole('link', { name: 'Audit log' }).press('Enter');
    await theirs.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  });
});
