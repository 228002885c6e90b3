/**
 * The inbox as people read it: focus, links and the count in the navigation need a browser.
 *
 * @tier test, 12 s
 */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { png } from './support/files.ts';
import { expectPresentable } from './support/looks.ts';

describeConsole('the inbox', (stage) => {
  const team = prepared(() => teamOf(stage.service));
  const colleague = prepared(() => team.member());
  const theirs = bodiesFor(stage, colleague);
  const rows = (page: Page) => page.getByRole('list', { name: 'Entries of Today' }).getByRole('listitem');

  itOnEach('shows what happened, opens it and marks it as read, on a %s', async (width) => {
    const reader = await team.member();
    const call = bodiesFor(stage, { token: reader.token });
    const board = (await call('POST', '/boards', { name: 'Summer' })).board.id;
    const url = await uploaded(stage.service, reader, 'lake.png', await png('#3a7ca5'));
    const media = (await call('POST', `/boards/${board}/media`, { url })).media.id;
    await eventually(async () => (await call('GET', `/boards/${board}`)).board.media[0].thumbnails.length > 0);
    const at = `/boards/${board}/media/${media}`;
    await theirs('POST', `${at}/comments`, { text: 'Is the water not too blue?' });
    await theirs('PUT', `${at}/decision`, { decision: 'changes_requested', text: 'Warmer, please' });
    await eventually(async () => (await call('GET', '/v2/inbox')).unread === 2);

    const page = await stage.open('/inbox', { as: reader, width });
    const asked = rows(page).filter({ hasText: 'Someone asked for changes of “lake.png” on “Summer” Warmer, please' });
    await asked.waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.getByRole('link', { name: /^Inbox 2 unread$/ }).waitFor();
    await expectPresentable(page, 'inbox', [width]);

    await page.getByRole('checkbox', { name: 'Comments' }).press('Space');
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Decisions' }).press('Space');
    await asked.waitFor();
    expect(new URL(page.url()).searchParams.get('kinds')).toBe('comment,decision');
    await asked.getByRole('link').press('Enter');
    await page.getByRole('dialog').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/boards/${board}`);
    expect(new URL(page.url()).searchParams.get('media')).toBe(String(media));
    await page.goBack();
    await page.getByRole('link', { name: /^Inbox 1 unread$/ }).waitFor();
    await page.getByRole('radio', { name: 'Unread' }).press('ArrowRight');
    await page.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await page.getByText('All is read.').waitFor();
    await page.getByRole('link', { name: /^Inbox$/ }).waitFor();
    expect((await call('GET', '/v2/inbox')).unread).toBe(0);
  });

  it('says what will be there while it is empty', async () => {
    const page = await stage.open('/inbox', { as: await team.member() });
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    expect(await page.getByRole('button', { name: 'Mark all as read' }).isDisabled()).toBe(true);
    await expectPresentable(page, 'inbox-empty');
  });
});
