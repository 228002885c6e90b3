/** @tier test, 20 s */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { PostgresCreditLedger } from '#adapters/postgres';
import { teamOf, type TeamCaller } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible } from './support/looks.ts';
import { prepared } from '../support/use-service.ts';
import { downloadOf } from './support/files.ts';

interface Used {
  readonly by: TeamCaller;
  readonly day: string;
  readonly model: string;
  readonly credits: number;
  readonly state?: 'succeeded' | 'running';
}

/** On a phone, each figure stands behind its title. */
const rowOf = (name: string, ...figures: readonly [share: string, count: string, reserved: string, used: string]) => {
  const titles = ['Share', 'Generations', 'Reserved', 'Credits'];
  return new RegExp(`${name}.* ${figures.map((figure, at) => `(${titles[at]} )?${figure}`).join(' ')}$`);
};

describeConsole('the usage', (stage) => {
  const team = prepared(() => teamOf(stage.service));
  const member = prepared(() => team.member());
  const today = new Date().toISOString().slice(0, 10);
  const thisMonth = today.slice(0, 7);

  async function use({ by: { userId }, day, model, credits: amount, state = 'succeeded' }: Used): Promise<void> {
    const { workspaceId } = team;
    const { id: generationId } = (await stage.service.database.one<{ id: number }>(
      `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
       values ($1, $2, $3, 'image', $4, '{}', $5, $6) returning id`,
      [workspaceId, userId, model, state, amount, `${day}T12:00:00Z`],
    ))!;
    const reservation = { workspaceId, userId, amount, generationId, month: day.slice(0, 7) as '2026-11' };
    await new PostgresCreditLedger(stage.service.database.database).reserve(reservation, 20_000);
  }

  beforeAll(async () => {
    await use({ by: team.owner, day: today, model: 'flux', credits: 40 });
    await use({ by: team.owner, day: today, model: 'flux', credits: 25, state: 'running' });
    await use({ by: member, day: `${thisMonth}-01`, model: '=cmd("x")', credits: 1000 });
    await use({ by: member, day: '2026-02-28', model: 'flux', credits: 7 });
  });

  itOnEach('says what is used, reserved and left, by day, model and member, by keyboard, on a %s', async (width) => {
    const page = await stage.open('/usage', { as: team.owner, width });
    await page.getByText('1,065 credits in 3 generations').waitFor();
    await page.getByText('18,935').first().waitFor();
    const figure = (term: string) =>
      page
        .locator('dt', { hasText: new RegExp(`^${term}$`) })
        .locator('+ dd')
        .textContent();
    expect(await figure('Used')).toBe('1,040');
    expect(await figure('Reserved for what runs')).toBe('25');
    await page.getByRole('img', { name: /Credits used on each day/ }).waitFor();
    await expectAccessible(page, [width]);

    await page.getByRole('radio', { name: 'Days' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name: rowOf('^=cmd\\("x"\\)', '94%', '1', '0', '1,000') }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name: rowOf(team.owner.email, '6%', '2', '25', '65') }).waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('member');
  });

  it('goes to earlier months, which stand in the address', async () => {
    const page = await stage.open('/usage', { as: team.owner });
    await page.getByText('1,065 credits').waitFor();
    expect(await page.getByRole('button', { name: 'The month after' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'The month before' }).press('Enter');
    await page.getByText(/^Nothing was used in/).waitFor();
    expect(new URL(page.url()).searchParams.get('month')).toMatch(/^\d{4}-\d\d$/);

    await page.goto('/console/usage?month=2026-02');
    await page.getByText('7 credits in 1 generation').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('1,065 credits').waitFor();
  });

  it('is saved as a file that no spreadsheet takes for formulas', async () => {
    const page = await stage.open('/usage?by=model', { as: team.owner });
    const download = await downloadOf(page, page.getByRole('button', { name: 'Download CSV' }).press('Enter'));
    expect(download.suggestedFilename()).toBe(`usage-${thisMonth}-by-model.csv`);
    expect(await readFile(await download.path(), 'utf8')).toBe(
      `\uFEFFmodel,credits,reserved,generations\r\n"'=cmd(""x"")",1000,0,1\r\nflux,65,25,2\r\n`,
    );
  });

  it('shows a member nothing but their own', async () => {
    const page = await stage.open('/usage', { as: member });
    await page.getByText('You used 1,000 credits in 1 generation').waitFor();
    expect(await page.getByText('flux').count()).toBe(0);
    expect(await page.getByRole('radio', { name: 'Members' }).count()).toBe(0);
  });

  it('suggests the next step to users without usage', async () => {
    const page = await stage.open('/usage', { as: await stage.service.signUp() });
    await page.getByText(/^Nothing was used in/).waitFor();
    await page.getByRole('link', { name: 'Generate something' }).waitFor();
  });
});
