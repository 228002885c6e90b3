import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  markOf,
  type InputSource,
  type NewStyle,
  type PersonaPictures,
  type ReadyStyle,
  type StyleId,
  type StyleStore,
  type TrainingPicture,
} from '#generation';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { Style, StylePicture } from '../schema.ts';
import { existingPersona, type PersonaId } from '../persona/persona-store.ts';

/** The pictures in slots 1 to 6 of the persona `p`. */
export const styleSlots = jsonArrayFrom(
  build
    .selectFrom('trainings')
    .select(['slot', 'id as trainingId', 'picture_version as pictureVersion'])
    .where('persona_id', '=', sql.ref<number>('p.id'))
    .where((eb) => eb.between('slot', sql.lit(1), sql.lit(6)))
    .$narrowType<{ slot: number }>(),
).as('slots');

/** A file that is being deleted, as its training was just removed, is read as not stored. */
const selectPictures = prepared<PersonaId & { trainingIds: readonly number[] }>()((param) =>
  build
    .with('pictures', (db) =>
      db
        .selectFrom('trainings')
        .select(['id', 'slot', 'source_url', 'file_id'])
        .where('persona_id', '=', param('personaId'))
        .where('state', '!=', 'failed')
        .where((eb) => eb.or([eb('slot', '<=', sql.lit(6)), eb('id', '=', anyOf(param('trainingIds')))])),
    )
    .with('locked', (db) =>
      db
        .selectFrom('files')
        .select(['id', 'key', 'content_type'])
        .where('id', 'in', (eb) =>
          eb.selectFrom('pictures').select((row) => row.ref('file_id').$notNull().as('file_id')),
        )
        .forKeyShare(),
    )
    .selectFrom('personas as p')
    .leftJoin('pictures', (on) => on.onTrue())
    .leftJoin('locked', 'locked.id', 'pictures.file_id')
    .select(['pictures.id as trainingId', 'pictures.slot', 'pictures.source_url', 'locked.id as file_id', 'locked.key'])
    .select('locked.content_type as contentType')
    .where((eb) =>
      eb.and({ 'p.id': param('personaId'), 'p.workspace_id': param('workspaceId'), 'p.deletion_id': null }),
    )
    .orderBy('pictures.slot')
    .forKeyShare('p'),
);

const selectSlots = prepared<PersonaId>()((param) => existingPersona(param).select(styleSlots));

const selectReady = prepared<PersonaId>()((param) =>
  build
    .selectFrom('styles')
    .innerJoin('files', 'files.id', 'styles.file_id')
    .select(['styles.id', 'styles.name', 'styles.trigger', 'styles.family', 'styles.is_active as isActive'])
    .select(['files.key', 'files.id as fileId'])
    .where((eb) =>
      eb.and({
        'styles.persona_id': param('personaId'),
        'styles.workspace_id': param('workspaceId'),
        'styles.deleted_at': null,
      }),
    )
    .orderBy('styles.id')
    .forKeyShare('files'),
);

const completeStyle = prepared<{ styleId: number; fileId: number }>()((param) =>
  build
    .updateTable('styles')
    .set({
      file_id: param('fileId'),
      is_active: sql<boolean>`not exists (
        select from styles other where other.persona_id = styles.persona_id and other.is_active)`,
    })
    .where('id', '=', param('styleId')),
);

const lockStyle = prepared<StyleId>()((param) =>
  existingPersona(param)
    .innerJoin('styles', 'styles.persona_id', 'p.id')
    .select('styles.file_id as fileId')
    .select((eb) =>
      eb
        .selectFrom('generations')
        .select('generations.id')
        .whereRef('generations.style_id', '=', 'styles.id')
        .where('generations.kind', '=', 'style')
        .$asScalar()
        .$notNull()
        .as('generationId'),
    )
    .where((eb) => eb.and({ 'styles.id': param('styleId'), 'styles.deleted_at': null }))
    .forNoKeyUpdate('styles'),
);

export class PostgresStyles implements StyleStore {
  constructor(private readonly database: Database) {}

  async picturesOf(
    workspaceId: number,
    personaId: number,
    trainingIds: readonly number[],
  ): Promise<PersonaPictures | null> {
    const rows = await this.database.run(selectPictures, { workspaceId, personaId, trainingIds });
    if (rows.length === 0) return null;
    // A persona without pictures has one row of nulls.
    const pictures = rows.filter(({ trainingId }) => trainingId !== null);
    return {
      slots: pictures.filter(({ slot }) => slot !== null && slot <= 6).map(toPicture),
      named: pictures
        .filter(({ trainingId }) => trainingIds.includes(trainingId!))
        .map((row) => ({ ...toPicture(row), contentType: row.contentType })),
    };
  }

  async add({ pictures, ...style }: NewStyle): Promise<number> {
    const { slots } = (await this.database.one(selectSlots, style))!;
    const styleId = await this.database.em.insert(Style, { ...style, slots: markOf(slots) });
    const rows = pictures.map(({ trainingId, source }, index) => ({
      ...NO_SOURCE,
      ...source,
      styleId,
      position: index + 1,
      trainingId,
    }));
    await this.database.em.insertMany(StylePicture, rows);
    return styleId;
  }

  async ready(workspaceId: number, personaId: number): Promise<readonly ReadyStyle[]> {
    const rows = await this.database.run(selectReady, { workspaceId, personaId });
    return rows.map(({ key, fileId, ...style }) => ({ ...style, weights: { key, fileId } }));
  }

  async complete(styleId: number, fileId: number): Promise<void> {
    await this.database.run(completeStyle, { styleId, fileId });
  }

  async lock(id: StyleId): ReturnType<StyleStore['lock']> {
    const row = await this.database.one(lockStyle, id);
    return row && { isReady: row.fileId !== null, generationId: row.generationId };
  }

  async rename(styleId: number, name: string): Promise<void> {
    await this.database.em.nativeUpdate(Style, { id: styleId }, { name });
  }

  async activate(personaId: number, styleId: number | null): Promise<void> {
    // A persona has one active style (`styles_active`): the old one is put aside first.
    await this.database.em.nativeUpdate(Style, { personaId, isActive: true }, { isActive: false });
    if (styleId !== null) await this.database.em.nativeUpdate(Style, { id: styleId }, { isActive: true });
  }

  async remove(styleId: number, at: Date): Promise<readonly number[]> {
    const { em, kysely } = this.database;
    const pictures = await kysely
      .deleteFrom('style_pictures')
      .where('style_id', '=', styleId)
      .returning('file_id as fileId')
      .execute();
    const trained = await kysely.selectFrom('styles').select('file_id as fileId').where('id', '=', styleId).execute();
    await em.nativeUpdate(Style, { id: styleId }, { deletedAt: at, isActive: false, fileId: null });
    return [...pictures, ...trained].flatMap(({ fileId }) => fileId ?? []);
  }
}

const NO_SOURCE = { key: null, url: null, fileId: null };

interface PictureRow {
  readonly trainingId: number | null;
  readonly source_url: string | null;
  readonly key: string | null;
  readonly file_id: number | null;
}

function toPicture({ trainingId, key, file_id: fileId, source_url: url }: PictureRow): TrainingPicture {
  const source: InputSource = key === null ? { url: url!, fileId: null } : { key, fileId };
  return { trainingId: trainingId!, source };
}
