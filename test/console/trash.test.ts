import { beforeAll, expect, it } from '@jest/globals';
import { newMember, newTeam, teamStoresOn, withToken } from '../support/team-store.ts';
import { chooseItem, describeConsole, expectAccessible, itOnEach, takeScreenshots } from './support/console.ts';

const COLOURS = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w';

describeConsole('the trash', (stage) => {
  let workspaceId: number;
  let admin: { token: string };
  let member: { token: string };
  beforeAll(async () => {
    const store = teamStoresOn(stage.service.database.database);
    const team = await newTeam(store);
    ({ workspaceId } = team);
    admin = await withToken(store, await newMember(store, team, 'admin'));
    member = await withToken(store, await newMember(store, team));
  });

  const call = async (method: string, path: string, json?: object) =>
    (await stage.service.call(method, path, { token: admin.token, json })).body;
  const newBoard = async (name: string): Promise<number> => (await call('POST', '/boards', { name })).board.id;

  itOnEach('gives back media once their folder is back, and says so before, on a %s', async (width) => {
    const board = await newBoard('Moods');
    const folder = (await call('POST', `/boards/${board}/folders`, { name: 'Drafts' })).folder.id;
    const media = (await call('POST', `/boards/${board}/media`, { folder_id: folder })).media.id;
    await stage.service.database.query('update media set placeholder = $2 where id = $1', [media, COLOURS]);
    await call('DELETE', `/boards/${board}/media/${media}`);
    await call('DELETE', `/boards/${board}/folders/${folder}`);

    const page = await stage.open('/trash', { as: admin, width });
    await page.getByRole('row', { name: /^Drafts Folder on “Moods” (Deleted by )?Someone / }).waitFor();
    await page
      .getByRole('row', { name: new RegExp(`^Item ${media} Item on “Moods” (Deleted by )?Someone `) })
      .waitFor();
    await expectAccessible(page, [width]);
    await takeScreenshots(page, 'trash');

    const actions = (of: string) => page.getByRole('button', { name: `Actions for ${of}` });
    await chooseItem(actions(`Item ${media}`), 'Restore');
    await page.getByText('Its folder is deleted: restore the folder first').waitFor();
    await chooseItem(actions('Drafts'), 'Restore');
    await page.getByText('“Drafts” is back').waitFor();
    await chooseItem(actions(`Item ${media}`), 'Restore');
    await page.getByText('The trash is empty').waitFor();
    expect((await call('GET', `/boards/${board}`)).board.media).toMatchObject([{ id: media, folder_id: folder }]);
  });

  it('gives back library items of one deletion together', async () => {
    const names = ['fox.png', 'owl.png'];
    const files = await stage.service.database.query<{ id: number }>(
      `with added as (
         insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
         select $1, 'upload', 'files/' || name || '/a.png', name, 1, 'image/png', now() from unnest($2::text[]) name
         returning id, workspace_id, created_at)
       insert into library_items (file_id, workspace_id, kind, origin, placeholder, words, created_at)
       select id, workspace_id, 'image', 'upload', $3, '', created_at from added returning file_id as id`,
      [workspaceId, names, COLOURS],
    );
    await call('POST', '/v2/library/delete', { file_ids: files.map(({ id }) => id) });
    const page = await stage.open('/trash', { as: admin });
    await page.getByRole('row', { name: /^fox\.png and 1 more Library (Deleted by )?Someone / }).waitFor();
    await expectAccessible(page);
    await chooseItem(page.getByRole('button', { name: 'Actions for fox.png and 1 more' }), 'Restore');
    await page.getByText('The trash is empty').waitFor();
    expect((await call('GET', '/v2/library')).items).toHaveLength(2);
  });

  it('erases an item after a confirmation', async () => {
    const { persona } = await call('POST', '/v2/personas', { name: 'Mary' });
    await call('DELETE', `/v2/personas/${persona.id}`);
    const page = await stage.open('/trash', { as: admin, width: 'phone' });
    await chooseItem(page.getByRole('button', { name: 'Actions for Mary' }), 'Delete for good…');
    const question = page.getByRole('dialog', { name: 'Delete “Mary” for good?' });
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Delete for good' }).press('Enter');
    await page.getByText('The trash is empty').waitFor();
    expect((await call('GET', '/v2/trash')).trash).toEqual([]);
  });

  it('is where a deleted board comes back from by the notice of its deletion', async () => {
    const board = await newBoard('Winter');
    const page = await stage.open(`/boards/${board}`, { as: admin });
    await chooseItem(page.getByRole('button', { name: 'Actions for Winter' }), 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Deleted “Winter”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('link', { name: /Winter/ }).waitFor();
    expect((await call('GET', `/boards/${board}`)).board.name).toBe('Winter');
  });

  it('is for admins alone', async () => {
    const page = await stage.open('/trash', { as: member });
    await page.getByText('Only admins see the trash').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
