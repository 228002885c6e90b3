/** @tier test, 35 s */
import { expect, it } from '@jest/globals';
import { emailOf } from '#identity';
import { someone } from '#testing/identity';
import { eventually } from '../support/eventually.ts';
import { mailTo } from '../support/mail-to.ts';
import { teamOf } from '../support/team-of.ts';
import { join as joinTeam, rolesIn } from '../support/team-store.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { chooseItem, expectFocused } from './support/pages.ts';

type Team = Awaited<ReturnType<typeof teamOf>>;

describeConsole('the team', (stage) => {
  /** The token in the mail to this address, once it is there. */
  const tokenFor = async (address: string): Promise<string> =>
    /x12_[\w-]{43}$/m.exec((await mailTo(stage.service, address)).text)![0];

  const roleOf = async ({ store, workspaceId }: Team, userId: number) => (await rolesIn(store, workspaceId))[userId];

  itOnEach('takes in by keyboard who accepts, gives a role and takes it back, and removes, on a %s', async (width) => {
    const team = await teamOf(stage.service);
    const page = await stage.open('/team', { as: team.owner, width });
    await page.getByText('It is just you so far').waitFor();

    const guest = await stage.service.signUp();
    await page.getByRole('button', { name: 'Invite' }).first().press('Enter');
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(guest.email);
    await page.keyboard.press('Enter');
    await page.getByText(`${guest.email} has an account, and is asked by mail to join.`).waitFor();
    await page.getByRole('row', { name: /Asked to join/ }).waitFor();

    const token = await tokenFor(guest.email);
    const theirs = await stage.open('/team', { as: guest, width });
    await theirs.getByLabel('Link or token from the mail').fill(token);
    await theirs.getByRole('definition').filter({ hasText: team.owner.email }).first().waitFor();
    await expectPresentable(theirs, 'invitation-in-team', [width]);
    await theirs.keyboard.press('Enter');
    await theirs.getByText(`Welcome to the team of ${team.owner.email}.`).waitFor();
    await theirs.getByText(`You are in the team of ${team.owner.email}`).waitFor();

    await page.reload();
    const actions = page.getByRole('button', { name: `Actions for ${guest.email}` });
    const choose = (item: string) => chooseItem(actions, item);
    await choose('Make an admin');
    await page.getByText(`${guest.email} is now an admin.`).waitFor();
    expect(await roleOf(team, guest.id)).toBe('admin');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await eventually(async () => (await roleOf(team, guest.id)) === 'member');
    // A menu that is open when the page learns of the role loses its focused item, and the focus.
    await page.getByRole('row', { name: guest.email }).getByText('Member', { exact: true }).waitFor();

    await choose('Remove from the team…');
    const removal = page.getByRole('dialog', { name: `Remove ${guest.email}?` });
    await removal.getByText(/stays with the team/).waitFor();
    await expectFocused(removal.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await removal.waitFor({ state: 'hidden' });
    expect(await roleOf(team, guest.id)).toBe('member');
    await expectFocused(actions);
    await choose('Remove from the team…');
    await removal.getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText(`${guest.email} is no longer in the team.`).waitFor();
    expect(await roleOf(team, guest.id)).toBeUndefined();
  });

  it('of 200 people with names of any length and direction is searched at once, by an address to come back to', async () => {
    const team = await teamOf(stage.service);
    const add = async (index: number) => {
      const name = NAMES[index % NAMES.length] ?? null;
      const email = emailOf(`person-${index}@example.com`);
      const { user } = await team.store.accounts.open({ ...someone({ email }), name: name && `${name} ${index}` });
      await joinTeam(team.store, team, { userId: user.id }, index % 20 === 0 ? 'admin' : 'member');
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => add(index)));
    const page = await stage.open('/team', { as: team.owner });
    const table = page.getByRole('table', { name: 'Members' });
    await table.getByText('Ångström Ögren 2', { exact: true }).waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe('202');
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await expectPresentable(page, 'team-full');

    await page.getByLabel('Search by name or e-mail').fill('عبد 80');
    await page.getByText('1 of 201').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('عبد 80');
    await page.reload();
    await page.getByText('1 of 201').waitFor();
    await page.getByLabel('Search by name or e-mail').fill('no such person');
    await page.getByText('Nobody matches').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await table.getByText('Ångström Ögren 2', { exact: true }).waitFor();
  });

  it('changes hands once the e-mail of the new owner is typed', async () => {
    const team = await teamOf(stage.service);
    const heir = await team.member();
    const page = await stage.open('/team', { as: team.owner });
    await chooseItem(page.getByRole('row', { name: heir.email }).getByRole('button'), 'Make the owner…');
    const confirm = page.getByRole('button', { name: 'Hand the team over' });
    await page.getByLabel(/Type .* to confirm/).fill(team.owner.email);
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/Type .* to confirm/).fill(heir.email);
    await confirm.press('Enter');
    await page.getByRole('row', { name: new RegExp(`${team.owner.email}.*Admin`) }).waitFor();
    expect(await rolesIn(team.store, team.workspaceId)).toEqual({
      [team.owner.userId]: 'admin',
      [heir.userId]: 'owner',
    });
  });

  it('shows a member their own place, and lets them leave for their personal workspace', async () => {
    const team = await teamOf(stage.service);
    const page = await stage.open('/team', { as: await team.member() });
    await page.getByText(`You are in the team of ${team.owner.email}`).waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Leave the team' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).click();
    await page.getByRole('heading', { name: 'Work together' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Link or token from the mail').fill('https://example.com/#token=x12_short');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('This is not an invitation').waitFor();
  });

  it('shows refusals to a demoted admin, then the view of a member', async () => {
    const team = await teamOf(stage.service);
    const [admin, other] = [await team.member('admin'), await team.member()];
    const page = await stage.open('/team', { as: admin });
    await page.getByRole('row', { name: other.email }).getByRole('button').click();
    await team.store.members.changeRole(team.workspaceId, admin.userId, 'member');
    await page.getByRole('menuitem', { name: 'Remove from the team…' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`You are in the team of ${team.owner.email}`).waitFor();
    expect(await roleOf(team, other.userId)).toBe('member');
  });
});

const NAMES = [
  'Grace Hopper',
  null,
  'Ångström Ögren',
  'محمد عبد الله الخوارزمي',
  'W'.repeat(251),
  '李清照',
  'O’Neil, J.',
];
