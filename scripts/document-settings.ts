import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsTable } from '#config';

// `npm run document-settings`: writes the table of settings into the documentation.
const file = join(import.meta.dirname, '..', 'docs', 'operations.md');
const table = /(?<=<!-- prettier-ignore-start -->\n)[^]*(?=<!-- prettier-ignore-end -->)/;
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(table, () => settingsTable()),
);
