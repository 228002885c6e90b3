import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiDocument, filesOf, generateClient } from '../../scripts/client-generator.ts';
import { ROOT } from '../support/processes.ts';
import { startService, type TestService } from '../support/service.ts';

const COMMITTED = join(ROOT, 'libs', 'client', 'src', 'generated');

describe('the generated client', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startService({}, { worker: false });
    folder = await mkdtemp(join(tmpdir(), 'x12-generated-'));
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  it('is what `npm run generate-client` makes of the OpenAPI document', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    await generateClient(body as ApiDocument, folder);
    const fresh = await textsOf(folder);
    const committed = await textsOf(COMMITTED);
    const names = new Set([...Object.keys(fresh), ...Object.keys(committed)]);
    const drifted = [...names].filter((name) => fresh[name] !== committed[name]);
    if (drifted.length > 0) throw new Error(`run \`npm run generate-client\`, these are out of date: ${drifted}`);
    expect(names.size).toBeGreaterThan(10);
  });
});

async function textsOf(folder: string): Promise<Record<string, string>> {
  const files = filesOf(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file, 'utf8')])),
  );
}
