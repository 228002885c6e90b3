/** @tier deep, 90 s, about apps/console */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { mailTo } from '../support/mail-to.ts';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach, type Width } from './support/console.ts';
import { expectPresentable } from './support/looks.ts';
import { dragOver, expectFocused } from './support/pages.ts';
import { generate } from './support/generations.ts';
import { aBoardToShare } from './support/shares.ts';
import { bodiesFor } from '../support/use-service.ts';

describeConsole('the review of a board', (stage) => {
  /** A board with three pictures of a team with two people. */
  async function openBoard(width: Width = 'desk') {
    const team = await teamOf(stage.service);
    const join = async (name: string) => {
      const user = await team.member();
      await bodiesFor(stage, user)('PUT', '/v2/auth/me', { name });
      return user;
    };
    const member = await join('Grace');
    const { owner, call, board, media } = await aBoardToShare(stage, 3, team.owner);
    const page = await stage.open(`/boards/${board}`, { as: owner, width });
    await page.getByRole('option').nth(2).waitFor();
    const at = (id: number, path: string) => `/boards/${board}/media/${id}${path}`;
    return { page, board, media, member, join, call, at };
  }
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Viewer' });
  const shown = (page: Page) => viewer(page).locator('[data-autofocus]');

  itOnEach('pins a comment, replies, resolves and decides, on a %s', async (width) => {
    const { page, media, member, call, at } = await openBoard(width);
    const [{ id }] = media;
    await call('POST', at(id, '/comments'), { text: 'Nice light.\nKeep it.', x: 0.8, y: 0.2 }, member);
    await page.getByRole('option').first().click();
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).click();
    await viewer(page).getByText('Nice light.').waitFor();
    await viewer(page).getByRole('button', { name: 'Pin 1: Nice light.' }).waitFor();

    await viewer(page).getByRole('button', { name: 'Pin to a point' }).click();
    const area = viewer(page).getByRole('application', { name: 'Where the pin goes' });
    const { width: across, height: down } = (await area.boundingBox())!;
    await area.click({ position: { x: across * 0.25, y: down * 0.75 } });
    await viewer(page).getByText('Pinned to a point').waitFor();
    await viewer(page).getByLabel('Write a comment').fill('@Grace, warmer here');
    await viewer(page).getByRole('button', { name: 'Send' }).click();
    await viewer(page).getByRole('button', { name: 'Pin 2: @Grace, warmer here' }).waitFor();
    await expectPresentable(page, 'review', [width]);
    const { comments } = await call('GET', at(id, '/comments'));
    expect(comments[1]).toMatchObject({ text: '@Grace, warmer here', mentions: [member.id] });
    expect(comments[1].x).toBeCloseTo(0.25, 1);
    expect(comments[1].y).toBeCloseTo(0.75, 1);

    await viewer(page).getByRole('button', { name: 'Reply' }).first().click();
    await viewer(page).getByLabel('Reply to Grace').fill('We will.');
    await viewer(page).getByLabel('Reply to Grace').press('Control+Enter');
    await viewer(page).getByText('We will.').waitFor();
    // The buttons of the thread come back in its place.
    await viewer(page).getByLabel('Reply to Grace').waitFor({ state: 'detached' });
    await viewer(page).getByRole('button', { name: 'Resolve' }).first().click();
    await viewer(page).getByRole('button', { name: '1 resolved thread' }).waitFor();
    await viewer(page).getByRole('radio', { name: 'Approved' }).locator('xpath=following-sibling::label[1]').click();
    await eventually(async () => (await call('GET', at(id, '/decisions'))).decisions[0]?.decision === 'approved');
  });

  /** Switches going on after a decision. */
  const goOn = async (page: Page, checked: boolean) => {
    const box = viewer(page).getByRole('checkbox', { name: 'Go on after a decision' });
    // It shows the choice once that is kept: not in the event of the click, which setChecked() asks for.
    if ((await box.isChecked()) !== checked) await box.click();
    await box.and(viewer(page).getByRole('checkbox', { checked })).waitFor();
  };

  it('is made by keys, from one undecided item to the next', async () => {
    const { page, media, call, at } = await openBoard();
    const [first, second, third] = media.map(({ id }: { id: number }) => id);
    await page.getByRole('listbox', { name: 'Media' }).focus();
    await page.keyboard.press('Enter');
    await viewer(page).getByText('1 of 3').first().waitFor();
    await page.keyboard.press('a');
    await viewer(page).getByText('2 of 3').first().waitFor();
    await viewer(page).getByRole('button', { name: 'Pin to a point' }).press('Enter');
    await expectFocused(viewer(page).getByRole('application', { name: 'Where the pin goes' }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await viewer(page).getByText('Pinned to a point').waitFor();
    await expectFocused(viewer(page).getByLabel('Write a comment'));
    await page.keyboard.type('ran out of colour');
    await page.keyboard.press('Control+Enter');
    await viewer(page).getByRole('button', { name: 'Pin 1: ran out of colour' }).waitFor();
    expect((await call('GET', at(second, '/comments'))).comments).toMatchObject([{ x: 0.52, y: 0.5 }]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await expectFocused(viewer(page).getByLabel('Write a comment'));
    await page.keyboard.press('Escape');
    await goOn(page, false);
    await page.keyboard.press('r');
    await viewer(page).getByRole('button', { name: 'Close request' }).waitFor();
    await page.keyboard.press('n');
    await viewer(page).getByText('3 of 3').first().waitFor();
    await goOn(page, true);
    await page.keyboard.press('a');
    await page.getByText('Every item here is decided.').waitFor();
    await page.keyboard.press('Escape');
    const decided = async (id: number) => (await call('GET', at(id, '/decisions'))).decisions[0]?.decision;
    expect([await decided(first), await decided(second), await decided(third)]).toEqual([
      'approved',
      'changes_requested',
      'approved',
    ]);
    await page.getByRole('option', { name: /Changes asked for, 1 comment$/ }).waitFor();
    await page.getByRole('group', { name: 'Filter by decision' }).getByText('Approved').click();
    await eventually(async () => (await page.getByRole('option').count()) === 2);
    expect(new URL(page.url()).searchParams.get('decision')).toBe('approved');
    await expectPresentable(page, 'review-filter');
    await page.getByRole('group', { name: 'Filter by decision' }).getByText('Undecided').click();
    await page.getByText('Nothing with this decision').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await eventually(async () => (await page.getByRole('option').count()) === 3);
  });

  itOnEach('draws a box with a comment, and shows it over the zoomed picture, on a %s', async (width) => {
    const { page, board, media, call, at } = await openBoard(width);
    const [{ id }] = media;
    await page.goto(`/console/boards/${board}?media=${id}`);
    await viewer(page).getByText('1 of 3').first().waitFor();
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).tap();
    const press = (name: string) => viewer(page).getByRole('button', { name, exact: true }).click();
    await press('Draw');
    await press('Box');
    const area = viewer(page).getByRole('img', { name: 'Drawing area' });
    await dragOver(area, [0.2, 0.3], [0.8, 0.6]);
    await press('Pen');
    await dragOver(area, [0.1, 0.1], [0.4, 0.1]);
    await expectPresentable(page, `review-drawing-on-${width}`, [width]);
    await page.keyboard.press('Control+z');
    await press('Done');
    await expectFocused(viewer(page).getByLabel('Write a comment'));
    await page.keyboard.type('Only this part');
    await press('Send');
    await viewer(page).getByRole('button', { name: 'Hide the drawing' }).waitFor();
    const { comments } = await call('GET', at(id, '/comments'));
    expect(comments).toMatchObject([{ drawing: [{ color: '#e5383b', points: { length: 5 } }] }]);
    const places = async () => {
      const picture = (await viewer(page).locator('img').last().boundingBox())!;
      const box = (await viewer(page)
        .getByRole('img', { name: 'Drawing', exact: true })
        .locator('polyline')
        .boundingBox())!;
      return [(box.x - picture.x) / picture.width, (box.y - picture.y) / picture.height, box.width / picture.width];
    };
    const expected = [0.2, 0.3, 0.6];
    (await places()).forEach((share, index) => expect(share).toBeCloseTo(expected[index]!, 1));
    await press('Actual size');
    (await places()).forEach((share, index) => expect(share).toBeCloseTo(expected[index]!, 1));
  });

  itOnEach('suggests members to mention, on a %s', async (width) => {
    const { page, board, media, member, join, call, at } = await openBoard(width);
    const greta = await join('Gréta');
    const [{ id }] = media;
    await page.goto(`/console/boards/${board}?media=${id}`);
    await viewer(page).getByText('1 of 3').first().waitFor();
    if (width === 'phone') await viewer(page).getByRole('button', { name: 'Details' }).tap();
    const field = viewer(page).getByLabel('Write a comment');
    const list = page.getByRole('listbox', { name: 'Members to mention' });
    const chosen = () => list.getByRole('option', { selected: true }).innerText();
    if (width === 'desk') await expectFocused(shown(page));
    await (width === 'phone' ? field.tap() : page.keyboard.press('c'));
    await expectFocused(field);
    await page.keyboard.type('@gr');
    await list.getByRole('option', { name: 'Gréta' }).waitFor();
    expect(await chosen()).toContain('Grace');
    const { x, y, width: wide, height } = (await list.boundingBox())!;
    const screen = page.viewportSize()!;
    expect([x >= 0, y >= 0, x + wide <= screen.width, y + height <= screen.height]).toEqual([true, true, true, true]);
    await expectPresentable(page, `review-mention-on-${width}`, [width]);
    if (width === 'phone') {
      await list.getByRole('option', { name: 'Gréta' }).tap();
      await expectFocused(field);
      expect(await field.inputValue()).toBe('@Gréta ');
      await viewer(page).getByRole('button', { name: 'Send' }).tap();
    } else {
      await page.keyboard.press('ArrowDown');
      expect(await chosen()).toContain('Gréta');
      const option = await field.getAttribute('aria-activedescendant');
      expect(await list.getByRole('option', { selected: true }).getAttribute('id')).toBe(option);
      await page.keyboard.press('ArrowDown');
      expect(await chosen()).toContain('Grace');
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      await expectFocused(field);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Hello @gra');
      await list.getByRole('option', { name: 'Grace' }).waitFor();
      await page.keyboard.press('Tab');
      await expectFocused(field);
      await page.keyboard.type('and @GRE');
      await list.getByRole('option', { name: 'Gréta' }).waitFor();
      await page.keyboard.press('Enter');
      expect(await field.inputValue()).toBe('Hello @Grace and @Gréta ');
      await page.keyboard.press('Control+Enter');
    }
    await eventually(async () => (await field.inputValue()) === '');
    const [comment] = (await call('GET', at(id, '/comments'))).comments;
    expect(comment.mentions).toEqual(width === 'phone' ? [greta.id] : [member.id, greta.id]);
    const mail = await mailTo(stage.service, greta.email);
    expect(mail.headers.subject).toEqual([expect.stringContaining('mentioned you on “Summer”')]);
  });

  it('suggests nobody outside a team, and asks for no members', async () => {
    const me = await stage.service.signUp();
    const call = bodiesFor(stage, me);
    const board = (await call('POST', '/boards', { name: 'Alone' })).board.id as number;
    const { id } = (await call('POST', `/boards/${board}/media`, {})).media;
    const page = await stage.open(`/boards/${board}?media=${id}`, { as: me });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await viewer(page).getByLabel('Write a comment').pressSequentially('@a');
    await viewer(page).getByRole('button', { name: 'Send' }).click();
    await viewer(page).getByRole('paragraph').filter({ hasText: '@a' }).waitFor();
    expect(asked.filter((path) => path.startsWith('/v2/team'))).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/comments'))).not.toEqual([]);
    expect(await page.getByRole('listbox', { name: 'Members to mention' }).count()).toBe(0);
  });

  it('lets members change only their own comments, and says what is refused', async () => {
    const { page, board, media, member, call, at } = await openBoard();
    const [{ id }] = media;
    await call('POST', at(id, '/comments'), { text: 'from the owner' });
    await call('POST', at(id, '/comments'), { text: 'from a member' }, member);
    const theirs = await stage.open(`/boards/${board}?media=${id}`, { as: member });
    await viewer(theirs).getByText('from the owner').waitFor();
    const actions = (text: string) => viewer(theirs).getByRole('button', { name: `Actions for the comment “${text}”` });
    expect(await actions('from the owner').count()).toBe(0);
    await actions('from a member').click();
    await theirs.getByRole('menuitem', { name: 'Edit' }).click();
    await viewer(theirs).getByRole('textbox', { name: 'Edit' }).fill('changed by a member');
    await viewer(theirs).getByRole('button', { name: 'Save' }).click();
    await viewer(theirs).getByText('changed by a member').waitFor();
    // The service refuses what is sent before the page knows that the item is gone.
    await theirs.route('**/events', (route) => route.abort());
    await theirs.reload();
    await viewer(theirs).getByText('changed by a member').waitFor();
    await theirs.route(/\/v2\/boards\/\d+(\/media)?(\?|$)/, (route) => route.abort());
    await call('DELETE', at(id, ''));
    await viewer(theirs).getByLabel('Write a comment').fill('too late');
    await viewer(theirs).getByRole('button', { name: 'Send' }).click();
    await theirs.getByText('no such media').first().waitFor();
    expect(await viewer(theirs).getByLabel('Write a comment').inputValue()).toBe('too late');
    await page.close();
  });

  /** A board with two versions of a picture; a third one, made from the second, is not on it. */
  async function openVersions(width: Width = 'desk') {
    const me = await stage.service.signUp();
    const call = bodiesFor(stage, me);
    const board = (await call('POST', '/boards', { name: 'Fox' })).board.id as number;
    const make = async (prompt: string, from?: { readonly id: number; readonly url: string }) => {
      const origin = from && { image: from.url, parent: `${from.id}.0` };
      const made = await generate(stage.service, me, { prompt, width: 320, height: 240, ...origin });
      return { id: made.id as number, url: made.outputs[0].url as string };
    };
    const put = async ({ id, url }: { readonly id: number; readonly url: string }, prompt: string) => {
      const extras = JSON.stringify({ generation_id: id, prompt });
      return (await call('POST', `/boards/${board}/media`, { url, extras })).media.id as number;
    };
    const first = await make('a fox');
    const second = await make('a red fox', first);
    await make('a red fox at dusk', second);
    const media = [await put(first, 'a fox'), await put(second, 'a red fox')] as const;
    await eventually(async () =>
      (await call('GET', `/boards/${board}`)).board.media.every(
        (each: { state: string }) => each.state === 'processed',
      ),
    );
    const page = await stage.open(`/boards/${board}?media=${media[1]}`, { as: me, width });
    const decisionOf = async (id: number) =>
      (await call('GET', `/boards/${board}/media/${id}/decisions`)).decisions[0]?.decision;
    const versions = page.getByRole('dialog', { name: 'Versions' });
    const version = (name: RegExp) => versions.getByRole('figure', { name });
    return { me, page, board, media, make, put, decisionOf, versions, version };
  }

  itOnEach('shows the versions of an item side by side, and decides about them, on a %s', async (width) => {
    const { page, media, decisionOf, versions, version } = await openVersions(width);
    const button = viewer(page).getByRole('button', { name: 'Compare versions' });
    await (width === 'phone' ? button.tap() : button.click());
    await eventually(async () => (await versions.locator('img').count()) === 3);
    const names = await versions
      .getByRole('figure')
      .evaluateAll((all) => all.map((each) => (each as { ariaLabel: string | null }).ariaLabel));
    expect(names).toEqual(['v1: a fox', 'v2 · this item: a red fox', 'v3: a red fox at dusk']);
    expect(new URL(page.url()).searchParams.get('versions')).toBe('true');
    await version(/^v3/).getByText('Not on this board').waitFor();
    expect(await version(/^v3/).getByRole('button').count()).toBe(0);
    await versions.getByRole('rowheader', { name: 'Prompt' }).waitFor();
    await versions.getByRole('button', { name: 'Ask for changes: v1' }).click();
    await versions.getByRole('button', { name: 'Approve: v2 · this item' }).click();
    await eventually(async () => (await decisionOf(media[0])) === 'changes_requested');
    await eventually(async () => (await decisionOf(media[1])) === 'approved');
    await versions.getByRole('button', { name: 'Ask for changes: v1', pressed: true }).waitFor();
    if (width === 'desk') await version(/^v1/).getByText('Changes asked for').waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await expectPresentable(page, `review-versions-on-${width}`, [width]);
    await versions.getByRole('button', { name: 'Ask for changes: v1', pressed: true }).click();
    await eventually(async () => (await decisionOf(media[0])) === 'none');
    await page.goBack();
    await versions.waitFor({ state: 'detached' });
    await viewer(page).getByText('a red fox').first().waitFor();
  });

  it('compares versions by keys, and goes back to the item', async () => {
    const { page, media, decisionOf, versions, version } = await openVersions();
    await viewer(page).getByRole('button', { name: 'Compare versions' }).waitFor();
    await expectFocused(shown(page));
    await page.keyboard.press('v');
    await expectFocused(version(/^v2 · this item/));
    await page.keyboard.press('r');
    await eventually(async () => (await decisionOf(media[1])) === 'changes_requested');
    await page.keyboard.press('ArrowRight');
    await expectFocused(version(/^v3/));
    await page.keyboard.press('a');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expectFocused(version(/^v1/));
    await page.keyboard.press('a');
    await eventually(async () => (await decisionOf(media[0])) === 'approved');
    expect(await decisionOf(media[1])).toBe('changes_requested');
    await page.keyboard.press('Escape');
    await versions.waitFor({ state: 'detached' });
    await viewer(page).getByRole('radio', { name: 'Changes asked for', checked: true }).waitFor({ state: 'attached' });
    await expectFocused(shown(page));
    await page.keyboard.press('v');
    await version(/^v2/).waitFor();
    await page.keyboard.press('Escape');
    await versions.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('versions')).toBeNull();
  });

  it('shows two versions on top of each other, decides about the open one, and offers nothing for one version', async () => {
    const { page, board, make, put, decisionOf, versions } = await openVersions();
    const made = await make('an owl');
    const older = await put(made, 'an owl');
    const newer = await put(await make('a snowy owl', made), 'a snowy owl');
    await page.goto(`/console/boards/${board}?media=${newer}&versions=true`);
    await expectFocused(versions.getByRole('slider', { name: 'Divider between the two pictures' }));
    await page.keyboard.press('a');
    await eventually(async () => (await decisionOf(newer)) === 'approved');
    expect(await decisionOf(older)).toBeUndefined();

    const alone = await put(await make('a hare'), 'a hare');
    const read = page.waitForResponse(/\/lineage$/);
    await page.goto(`/console/boards/${board}?media=${alone}&versions=true`);
    await viewer(page).getByText('a hare').first().waitFor();
    await read;
    await viewer(page).getByRole('button', { name: 'Vary 4 credits' }).waitFor();
    await expectFocused(shown(page));
    await page.keyboard.press('v');
    expect(await viewer(page).getByRole('button', { name: 'Compare versions' }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
