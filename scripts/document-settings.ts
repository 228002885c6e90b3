import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { CATALOGUE_SCHEMA } from '#adapters/catalog';
import { settingsTable } from '#config';

// `npm run document-settings`: writes the table of settings and the schema of catalogues into the documentation.
const file = join(import.meta.dirname, '..', 'docs', 'operations.md');
const table = /(?<=<!-- prettier-ignore-start -->\n)[^]*(?=<!-- prettier-ignore-end -->)/;
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(table, () => settingsTable()),
);

const schema = join(import.meta.dirname, '..', 'docs', 'models.schema.json');
writeFileSync(schema, (await format(schema, JSON.stringify(CATALOGUE_SCHEMA), { printWidth: 120 })).code);
