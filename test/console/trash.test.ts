/** @tier test, 12 s */
import { expect, it } from '@jest/globals';
import { teamOf } from '../support/team-of.ts';
import { describeConsole, itOnEach } from './support/console.ts';
import { expectAccessible, expectPresentable } from './support/looks.ts';
import { chooseItem } from './support/pages.ts';
import { bodiesFor, prepared } from '../support/use-service.ts';

const COLOURS = '3OcRJYB4d3h/iIeHeEh3eIhw+j2w';

describeConsole('the trash', (stage) => {
  const admin = prepared(async () => (await teamOf(stage.service)).member('admin'));
  const call = bodiesFor(stage, admin);
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
      .getByRole('row', { name: new RegExp(`^Untitled item Item on “Moods” (Deleted by )?Someone `) })
      .waitFor();
    await expectPresentable(page, 'trash', [width]);

    const actions = (of: string) => page.getByRole('button', { name: `Actions for ${of}` });
    await chooseItem(actions('Untitled item'), 'Restore');
    await page.getByText('Its folder is deleted: restore the folder first').waitFor();
    await chooseItem(actions('Drafts'), 'Restore');
    await page.getByText('“Drafts” is back').waitFor();
    await chooseItem(actions('Untitled item'), 'Restore');
    await page.getByText('The trash is empty').waitFor();
    expect((await call('GET', `/boards/${board}`)).board.media).toMatchObject([{ id: media, folder_id: folder }]);
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
});
