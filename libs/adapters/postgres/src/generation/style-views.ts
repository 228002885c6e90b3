import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { isOutdated, type StyleId, type StyleView, type StyleViews } from '#generation';
import type { Database } from '../database.ts';
import { existingPersona, type PersonaId } from '../persona/persona-store.ts';
import { isShownOutput } from '../files/file-rows.ts';
import { build, prepared, type Param, type Prepared } from '../prepared.ts';
import { styleSlots } from './style-store.ts';

/** The key of the newest picture that a generation has made with a style. */
const newestPicture = build
  .selectFrom('generations as use')
  .innerJoin('generation_outputs as o', 'o.generation_id', 'use.id')
  .innerJoin('files', 'files.id', 'o.file_id')
  .select('files.key')
  .where('use.style_id', '=', sql.ref<number>('styles.id'))
  .where('use.kind', '=', 'image')
  .where(isShownOutput)
  .orderBy('use.id', 'desc')
  .orderBy('o.position')
  .limit(sql.lit(1))
  .$asScalar();

/** The styles of a persona. A persona without styles has one row of nulls. */
function selectViews(param: Param<PersonaId>) {
  return existingPersona(param)
    .leftJoin('styles', (on) => on.onRef('styles.persona_id', '=', 'p.id').on('styles.deleted_at', 'is', null))
    .leftJoin('generations', (on) =>
      on.onRef('generations.style_id', '=', 'styles.id').on('generations.kind', '=', 'style'),
    )
    .select(['styles.id', 'styles.name', 'styles.model', 'styles.family', 'styles.is_active as isActive'])
    .select(['styles.created_at as createdAt', 'generations.id as generationId', 'generations.state'])
    .select(['generations.error_code as errorCode', 'generations.error'])
    .select('styles.slots as mark')
    .select(styleSlots)
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('style_pictures')
          .select(['training_id as trainingId', 'key', 'url'])
          .whereRef('style_id', '=', 'styles.id')
          .orderBy('position'),
      ).as('pictures'),
    )
    .select(newestPicture.as('preview'))
    .orderBy('styles.id', 'desc');
}

const listStyles = prepared<PersonaId>()(selectViews);

const findStyle = prepared<StyleId>()((param) => selectViews(param).where('styles.id', '=', param('styleId')));

type Row = typeof listStyles extends Prepared<never, infer Each> ? Each : never;

export class PostgresStyleViews implements StyleViews {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, personaId: number): Promise<readonly StyleView[] | null> {
    const rows = await this.database.run(listStyles, { workspaceId, personaId });
    return rows.length === 0 ? null : rows.filter(({ id }) => id !== null).map(toView);
  }

  async get(id: StyleId): Promise<StyleView | null> {
    const row = await this.database.one(findStyle, id);
    return row && toView(row);
  }
}

/** Maps the row of a style. */
function toView({ errorCode: code, error: message, mark, slots, ...row }: Row): StyleView {
  const error = code === null ? null : { code, message: message! };
  return { ...(row as Omit<StyleView, 'error' | 'isOutdated'>), error, isOutdated: isOutdated(mark!, slots) };
}
