import type { InputSource, PersonaSlots, SlotPictures } from '#generation';
import type { ObjectStorage } from '#files';
import type { Database } from '../database.ts';

interface SlotRow {
  readonly slot: 1 | 7 | null;
  readonly source_url: string;
  readonly file_id: number | null;
  readonly key: string;
}

export class PostgresPersonaSlots implements PersonaSlots {
  readonly #database: Database;
  readonly #storage: Pick<ObjectStorage, 'publicUrl'>;

  constructor(database: Database, storage: Pick<ObjectStorage, 'publicUrl'>) {
    this.#database = database;
    this.#storage = storage;
  }

  async of(workspaceId: number, personaId: number): Promise<SlotPictures | null> {
    // A file that is being reclaimed, since its slot has just got another picture, is read as if it were not stored.
    const rows = await this.#database.query<SlotRow>(
      `with slots as (
         select t.slot, t.source_url, t.file_id from trainings t where t.persona_id = $2 and t.slot in (1, 7)),
       held as (
         select f.id, f.key from files f
          where f.id in (select file_id from slots)
            for key share)
       select slots.slot, slots.source_url, held.id as file_id, held.key
         from personas p
         left join slots on true
         left join held on held.id = slots.file_id
        where p.id = $2 and p.workspace_id = $1 and p.deleted_at is null
          for key share of p`,
      [workspaceId, personaId],
    );
    if (rows.length === 0) return null;
    const pictureIn = (slot: 1 | 7): InputSource | null => {
      const row = rows.find((each) => each.slot === slot);
      return row ? this.#toSource(row) : null;
    };
    return { master: pictureIn(1), main: pictureIn(7) };
  }

  async firstOf(workspaceId: number, userId: number): Promise<number | null> {
    const row = await this.#database.one<{ id: number }>(
      `select id from personas
        where created_by = $2 and workspace_id = $1 and deleted_at is null
        order by id
        limit 1
          for key share`,
      [workspaceId, userId],
    );
    return row?.id ?? null;
  }

  #toSource({ source_url: sourceUrl, file_id: fileId, key }: SlotRow): InputSource {
    return fileId === null ? { url: sourceUrl, fileId } : { url: this.#storage.publicUrl(key), fileId };
  }
}
