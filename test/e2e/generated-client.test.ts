/** @tier deep, 6 s, about libs/client libs/client-python scripts */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildDocument } from '../../apps/api/src/http/openapi/build-document.ts';
import { type ApiDocument, filesOf, generateClient, generateOperatorTypes } from '../../scripts/client-generator.ts';
import { generatePython } from '../../scripts/python-generator.ts';
import { ROOT } from '../support/processes.ts';
import { useService } from '../support/use-service.ts';

const CLIENT = join(ROOT, 'libs', 'client', 'src', 'generated');
const PYTHON = join(ROOT, 'libs', 'client-python', 'x12');
const OPERATOR_TYPES = join(ROOT, 'apps', 'console', 'src', 'screens', 'operator', 'generated');

describe('what `npm run generate-client` makes of the OpenAPI documents is committed:', () => {
  const service = useService({}, { worker: false });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-generated-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('the client', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    await generateClient(body as ApiDocument, join(folder, 'client'));
    expect(await driftOf(CLIENT, join(folder, 'client'))).toEqual([]);
  });

  it('the low level of the Python client', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    generatePython(body as ApiDocument, join(folder, 'python'));
    const fresh = await textsOf(join(folder, 'python'));
    expect(Object.keys(fresh).sort()).toEqual(['_operations.py', 'types.py']);
    expect(await textsOf(PYTHON)).toMatchObject(fresh);
  });

  it("the types of the console's operator screen", async () => {
    const document = buildDocument(service.api.app, 'operators') as unknown as ApiDocument;
    await generateOperatorTypes(document, join(folder, 'operators'));
    expect(await driftOf(OPERATOR_TYPES, join(folder, 'operators'))).toEqual([]);
  });
});

it("the generator of the Python client keeps off Python's keywords", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'x12-generated-'));
  const Way = { type: 'object', properties: { from: { type: 'string' } } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Way' } } };
  const parameters = [{ name: 'in', in: 'path', required: true, schema: { type: 'integer' } }];
  const operation = {
    operationId: 'ways.import',
    summary: 'Import a way',
    parameters,
    responses: { 200: { content } },
  };
  const schemas = { Way, Error: {}, EventDto: {}, GenerationEvent: {}, BatchEvent: {} };
  generatePython({ paths: { '/ways/{in}': { get: operation } }, components: { schemas } }, folder);
  const texts = await textsOf(folder);
  expect(texts['_operations.py']).toContain('def import_(self, *, in_: int) -> t.Way:');
  expect(texts['_operations.py']).toContain('"/ways/{in}", path={"in": in_}');
  expect(texts['types.py']).toContain('"from": "NotRequired[str]",');
  await rm(folder, { recursive: true });
});

/** The files that `npm run generate-client` would write anew. */
async function driftOf(committed: string, made: string): Promise<string[]> {
  const [old, fresh] = await Promise.all([textsOf(committed), textsOf(made)]);
  const names = [...new Set([...Object.keys(fresh), ...Object.keys(old)])];
  expect(names).toContain('types.gen.ts');
  return names.filter((name) => fresh[name] !== old[name]);
}

async function textsOf(folder: string): Promise<Record<string, string>> {
  const files = filesOf(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file, 'utf8')])),
  );
}
