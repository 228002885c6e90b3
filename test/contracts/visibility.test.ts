/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresFileRecords } from '#adapters/postgres';
import { isSeen, type FileState } from '#files';
import { sql } from 'kysely';
import { isShownOutput } from '../../libs/adapters/postgres/src/files/file-rows.ts';
import { isVisible } from '../../libs/adapters/postgres/src/library/library-rows.ts';
import { newFile, newWorkspace } from '../support/database.ts';
import { deleteAllFiles, fileStoreOn } from '../support/file-store.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase();
const store = fileStoreOn(db.database);
const home = await newWorkspace(db.database);
beforeEach(() => deleteAllFiles(db));

const BOTH = [false, true];
/** Every state of a file. */
const STATES: readonly FileState[] = BOTH.flatMap((isInTrash) =>
  BOTH.flatMap((isRemoved) =>
    BOTH.flatMap((hasDeletedPersona) => BOTH.map((isUsed) => ({ isInTrash, isRemoved, hasDeletedPersona, isUsed }))),
  ),
);

/** A file in this state, with an item of the library. */
async function fileIn({ isInTrash, isRemoved, hasDeletedPersona, isUsed }: FileState) {
  const personaId = await store.newPersona(home);
  const file = await newFile(db.database, home.workspaceId, personaId);
  await db.query(
    `insert into library_items (file_id, workspace_id, kind, origin, persona_id, words, created_at)
     select id, workspace_id, 'image', origin, persona_id, '', created_at from files where id = $1`,
    [file.id],
  );
  if (isUsed) await store.refer('media', file.id);
  const later = new Date(Date.now() + 86_400_000);
  if (hasDeletedPersona) await store.deletePersona(personaId, later);
  const [entry] = await db.query<{ id: number }>(
    `insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
     values ($1, 'item', $2, $3, now(), $4) returning id`,
    [home.workspaceId, file.id, home.userId, later],
  );
  if (isRemoved)
    await db.query('update files set removed_at = now(), removal_id = $2 where id = $1', [file.id, entry!.id]);
  if (isInTrash) await db.query('update files set deletion_id = $2 where id = $1', [file.id, entry!.id]);
  return file;
}

const { kysely } = db.database;
async function seen({ id, key }: { readonly id: number; readonly key: string }) {
  const outputs = kysely.selectFrom('files').select('files.id').where('files.id', '=', id).where(isShownOutput);
  const items = kysely.selectFrom('library_items').select('file_id').where('file_id', '=', id);
  return {
    url: await new PostgresFileRecords(db.database).isPublic(key),
    output: (await outputs.execute()).length === 1,
    library: (await items.where((eb) => isVisible(eb, sql.val(home.workspaceId))).execute()).length === 1,
  };
}

describe('the statements about who sees a file', () => {
  it('say of every state what the rule says', async () => {
    for (const state of STATES) {
      const file = { ...state, picture: null };
      const expected = { url: isSeen('url', file), output: isSeen('output', file), library: isSeen('library', file) };
      expect([state, await seen(await fileIn(state))]).toEqual([state, expected]);
    }
  });

  it('say of a thumbnail in every state of its picture what the rule says', async () => {
    for (const picture of STATES) {
      for (const isUsed of BOTH) {
        const own = { isInTrash: false, isRemoved: false, hasDeletedPersona: false, isUsed };
        const [{ id }, thumbnail] = [await fileIn(picture), await fileIn(own)];
        await db.query('update files set picture_id = $2 where id = $1', [thumbnail.id, id]);
        const { url } = await seen(thumbnail);
        expect([picture, isUsed, url]).toEqual([picture, isUsed, isSeen('url', { ...own, picture })]);
      }
    }
  });
});
