import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/processes.ts';

const FILE = join(ROOT, 'libs/catalogue/src/domain/proposals/fixtures/replicate.jsonl');

/** Models of Replicate as the vendor describes them, by `owner/name`. */
export function replicateModels(): Readonly<Record<string, object>> {
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  const models = lines.map((line) => JSON.parse(line) as { readonly owner: string; readonly name: string });
  return Object.fromEntries(models.map((model) => [`${model.owner}/${model.name}`, model]));
}
