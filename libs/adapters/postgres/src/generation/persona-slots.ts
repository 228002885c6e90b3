import type { InputSource, PersonaSlots, SlotPictures } from '#generation';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';

/** A file that is being deleted, as its slot was just replaced, is read as not stored. */
const selectSlots = prepared<{ workspaceId: number; personaId: number }>()((param) =>
  build
    .with('slots', (db) =>
      db
        .selectFrom('trainings')
        .select(['slot', 'source_url', 'file_id'])
        .where('persona_id', '=', param('personaId'))
        .where('slot', 'is not', null),
    )
    .with('locked', (db) =>
      db
        .selectFrom('files')
        .select(['id', 'key'])
        .where('id', 'in', (eb) =>
          eb.selectFrom('slots').select((slot) => slot.ref('file_id').$notNull().as('file_id')),
        )
        .forKeyShare(),
    )
    .selectFrom('personas as p')
    .leftJoin('slots', (on) => on.onTrue())
    .leftJoin('locked', 'locked.id', 'slots.file_id')
    .select(['slots.slot', 'slots.source_url', 'locked.id as file_id', 'locked.key'])
    .where((eb) =>
      eb.and({ 'p.id': param('personaId'), 'p.workspace_id': param('workspaceId'), 'p.deletion_id': null }),
    )
    .orderBy('slots.slot')
    .forKeyShare('p'),
);

const selectFirst = prepared<{ workspaceId: number; userId: number }>()((param) =>
  build
    .selectFrom('personas')
    .select('id')
    .where((eb) => eb.and({ created_by: param('userId'), workspace_id: param('workspaceId'), deletion_id: null }))
    .orderBy('id')
    .limit(1)
    .forKeyShare(),
);

export class PostgresPersonaSlots implements PersonaSlots {
  constructor(private readonly database: Database) {}

  async slotsOf(workspaceId: number, personaId: number): Promise<SlotPictures | null> {
    const rows = await this.database.run(selectSlots, { workspaceId, personaId });
    if (rows.length === 0) return null;
    const picturesIn = (first: number, last = first): InputSource[] =>
      rows.filter(({ slot }) => slot !== null && slot >= first && slot <= last).map(toSource);
    return { master: picturesIn(1)[0] ?? null, styles: picturesIn(2, 6), main: picturesIn(7)[0] ?? null };
  }

  async firstPersonaOf(workspaceId: number, userId: number): Promise<number | null> {
    return (await this.database.one(selectFirst, { workspaceId, userId }))?.id ?? null;
  }
}

interface SlotRow {
  readonly source_url: string | null;
  readonly key: string | null;
  readonly file_id: number | null;
}

/** Maps a row of a filled slot. */
function toSource({ key, file_id: fileId, source_url: url }: SlotRow): InputSource {
  return key === null ? { url: url!, fileId: null } : { key, fileId };
}
