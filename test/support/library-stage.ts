import { randomUUID } from 'node:crypto';
import { PostgresFileRecords, PostgresLibraryViews, PostgresLibraryWork } from '#adapters/postgres';
import { systemClock } from '#kernel';
import { Library, SavedSearches, type LibraryCursor, type LibraryFilter } from '#library';
import { NOTHING_SEEN, type Look } from '#files';
import { RecordedAuditLog } from '#testing/audit-log';
import { createDatabase, newWorkspace, type TestDatabase } from './database.ts';
import { Product } from './product.ts';

export type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

interface ItemOptions {
  readonly workspace?: Workspace;
  readonly prompt?: string;
  readonly model?: string;
  readonly kind?: string;
  readonly filename?: string;
  readonly personaId?: number | null;
  readonly createdAt?: Date;
  readonly expiresAt?: Date;
  readonly look?: Look;
}

/** The library on PostgreSQL, with files as other subjects leave them. */
export class LibraryStage {
  readonly views: PostgresLibraryViews;
  readonly work: PostgresLibraryWork;
  readonly records: PostgresFileRecords;
  readonly library: Library;
  readonly searches: SavedSearches;
  readonly auditLog = new RecordedAuditLog();
  #files = 0;

  private constructor(
    readonly db: TestDatabase,
    readonly workspace: Workspace,
    readonly other: Workspace,
  ) {
    const product = new Product(db, { auditLog: this.auditLog, clock: systemClock });
    this.views = product.get(PostgresLibraryViews);
    this.work = product.get(PostgresLibraryWork);
    this.records = new PostgresFileRecords(db.database);
    this.library = product.get(Library);
    this.searches = product.get(SavedSearches);
  }

  static async open(): Promise<LibraryStage> {
    const db = await createDatabase({ poolSize: 20 });
    return new LibraryStage(db, await newWorkspace(db.database), await newWorkspace(db.database));
  }

  /** An upload, in the library. */
  async upload(options: ItemOptions = {}): Promise<number> {
    const id = await this.file('upload', options);
    await this.fill(options.look ? [[id, options.look]] : []);
    return id;
  }

  /** An output of a generation, in the library. */
  async output(options: ItemOptions = {}): Promise<number> {
    const { workspace = this.workspace, prompt = null, model = 'local-image', kind = 'image' } = options;
    const id = await this.file('output', options);
    await this.db.query(
      `with made as (
         insert into generations (workspace_id, user_id, model, kind, state, prompt, parameters, cost, created_at)
         values ($1, $2, $3, $4, 'succeeded', $5, '{}', 0, now()) returning id)
       insert into generation_outputs (generation_id, position, file_id) select id, 1, $6 from made`,
      [workspace.workspaceId, workspace.userId, model, kind, prompt, id],
    );
    await this.fill(options.look ? [[id, options.look]] : []);
    return id;
  }

  /** Deletes what tests have made. */
  async clear(): Promise<void> {
    const tables = ['media', 'boards', 'files', 'generations', 'personas', 'trash', 'library_tags', 'library_words'];
    for (const table of [...tables, 'saved_searches']) await this.db.query(`delete from ${table}`);
  }

  /** Only the record of a file. */
  async file(origin: 'upload' | 'output' | 'import', options: ItemOptions = {}): Promise<number> {
    const { workspace = this.workspace, filename = 'file.png', personaId = null, expiresAt = null } = options;
    const createdAt = options.createdAt ?? new Date(Date.UTC(2026, 0, 1) + this.#files++ * 1000);
    const row = await this.db.one<{ id: number }>(
      `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
       values ($1, $2, $3, $4, $5, 1, 'image/png', $6, $7) returning id`,
      [workspace.workspaceId, personaId, origin, `files/${randomUUID()}/a.png`, filename, createdAt, expiresAt],
    );
    return row!.id;
  }

  /** Begins to add older files anew. */
  async refill(now = new Date()): Promise<void> {
    await this.db.query('update library_filling set passes_left = 2, starts_at = $1, before_id = 1000000000', [now]);
  }

  /** Adds all files to the library that belong there. */
  async fill(looks: readonly (readonly [number, Look])[] = []): Promise<void> {
    const now = new Date();
    await this.refill(now);
    while ((await this.work.addOlder(now, 1_000)) === 1_000);
    for (const [id, look] of looks) {
      await this.records.saveSeen(id, { ...NOTHING_SEEN, width: 640, height: 480, look, placeholder: 'AAAA' });
    }
  }

  async persona(name: string, { workspaceId, userId } = this.workspace): Promise<number> {
    const row = await this.db.one<{ id: number }>(
      `insert into personas (workspace_id, created_by, name, created_at, updated_at)
       values ($1, $2, $3, now(), now()) returning id`,
      [workspaceId, userId, name],
    );
    return row!.id;
  }

  /** The ids that a search finds, by all of its pages. */
  async find(filter: LibraryFilter, { limit = 50, workspace = this.workspace } = {}): Promise<number[]> {
    const found: number[] = [];
    let after: LibraryCursor | null = null;
    do {
      const page = await this.views.search(workspace.workspaceId, filter, { limit, after });
      if (page.items.length > limit) throw new Error('too many items on a page');
      found.push(...page.items.map(({ fileId }) => fileId));
      after = page.next;
    } while (after);
    return found;
  }
}
