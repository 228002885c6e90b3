import type { Pool, PoolClient } from 'pg';
import type { PersonalData, PersonalFile, PersonalSnapshot, Row } from '#export';
import type { Prepared } from '../prepared.ts';
import { translateDatabaseError } from '../translate-database-error.ts';
import { DOCUMENTS, selectFiles, selectPerson, type Person } from './personal-documents.ts';

const PAGE = 500;

/** Reads a person's rows on a connection of their own, page by page, in one snapshot. */
export class PostgresPersonalData implements PersonalData {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async open(userId: number): Promise<PersonalSnapshot | null> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
    const reader = new Reader(client);
    try {
      await reader.send('begin isolation level repeatable read read only');
      const [person] = await reader.send<Person & { readonly email: string }>(
        selectPerson.query.sql,
        selectPerson.bind({ userId }),
      );
      if (person) return snapshotOf(reader, person);
      await reader.close();
      return null;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }
}

function snapshotOf(reader: Reader, { email, ...person }: Person & { readonly email: string }): PersonalSnapshot {
  return {
    email,
    documents: DOCUMENTS.map(({ name, about, rows }) => ({ name, about, rows: () => reader.pages<Row>(rows, person) })),
    files: () => reader.filesAfterSnapshot(person),
    close: () => reader.close(),
  };
}

class Reader {
  readonly #client: PoolClient;
  #isOpen = true;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async send<T>(text: string, values: unknown[] = []): Promise<T[]> {
    try {
      return (await this.#client.query(text, values)).rows as T[];
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  async *pages<T>(statement: Prepared<Person, unknown>, person: Person): AsyncGenerator<readonly T[]> {
    await this.send(`declare page no scroll cursor for ${statement.query.sql}`, statement.bind(person));
    yield* this.#fetch<T>();
    await this.send('close page');
  }

  /** The cursor keeps the keys of the files when the transaction ends: a long copy holds no snapshot. */
  async *filesAfterSnapshot(person: Person): AsyncGenerator<readonly PersonalFile[]> {
    const { query, bind } = selectFiles;
    await this.send(`declare page no scroll cursor with hold for ${query.sql}`, bind(person));
    await this.send('commit');
    yield* this.#fetch<PersonalFile>();
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
    if (this.#isOpen) this.#client.release(true);
    this.#isOpen = false;
  }
}
