import type { Compilable } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { PersonalData, PersonalSnapshot } from '#export';
import { translateDatabaseError } from '../translate-database-error.ts';
import { documentsOf, selectFiles, selectPerson, type Person } from './personal-documents.ts';

const PAGE = 500;

/** Reads a person's rows on a connection of their own, page by page, in one snapshot. */
export class PostgresPersonalData implements PersonalData {
  constructor(private readonly pool: Pool) {}

  async open(userId: number): Promise<PersonalSnapshot | null> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
    const reader = new Reader(client);
    try {
      await reader.send('begin isolation level repeatable read read only');
      const { sql, parameters } = selectPerson(userId).compile();
      const [person] = await reader.send<Person>(sql, parameters);
      if (person) return snapshotOf(reader, person);
      await reader.close();
      return null;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }
}

function snapshotOf(reader: Reader, person: Person): PersonalSnapshot {
  return {
    email: person.email,
    documents: Object.entries(documentsOf(person)).map(([name, { about, rows }]) => ({
      name,
      about,
      rows: () => reader.pages(rows),
    })),
    files: () => reader.pagesAfterSnapshot(selectFiles(person)),
    close: () => reader.close(),
  };
}

class Reader {
  #isOpen = true;

  constructor(private readonly client: PoolClient) {}

  async send<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    try {
      return (await this.client.query(text, [...values])).rows as T[];
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async *pages<T>(rows: Compilable<T>): AsyncGenerator<readonly T[]> {
    const { sql, parameters } = rows.compile();
    await this.send(`declare page no scroll cursor for ${sql}`, parameters);
    yield* this.#fetch<T>();
    await this.send('close page');
  }

  /** The cursor keeps the rows when the transaction ends: a long copy of files holds no snapshot. */
  async *pagesAfterSnapshot<T>(rows: Compilable<T>): AsyncGenerator<readonly T[]> {
    const { sql, parameters } = rows.compile();
    await this.send(`declare page no scroll cursor with hold for ${sql}`, parameters);
    await this.send('commit');
    yield* this.#fetch<T>();
  }

  async *#fetch<T>(): AsyncGenerator<readonly T[]> {
    for (;;) {
      const rows = await this.send<T>(`fetch ${PAGE} from page`);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
    }
  }

  /** Closes the connection, with its transaction and its cursor. */
  async close(): Promise<void> {
    if (this.#isOpen) this.client.release(true);
    this.#isOpen = false;
  }
}
