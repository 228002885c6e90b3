/** @tier test */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Validator } from '@seriousme/openapi-schema-validator';
import { VERBS } from '../../apps/api/src/http/operation-id.ts';
import { Routes } from '../../apps/api/src/http/routes.ts';
import { fieldsOf } from '../../apps/api/src/http/fields/field.ts';
import { readFields } from '../../apps/api/src/http/fields/dto.ts';
import { ROOT } from '../support/processes.ts';
import { useService } from '../support/use-service.ts';

interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, object>>;
  readonly parameters: readonly { readonly name: string; readonly schema: Schema; readonly description?: string }[];
}
interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((item) => Object.values(item));

describe('the OpenAPI document of the service', () => {
  const service = useService({}, { worker: false });
  let document: Document;
  let forOperators: Document;
  /** Operations of both documents. */
  let operations: readonly Operation[];

  beforeAll(async () => {
    document = (await service.call('GET', '/openapi.json')).body as Document;
    forOperators = (await service.call('GET', '/admin/openapi.json')).body as Document;
    operations = [document, forOperators].flatMap(operationsOf);
  });

  it('is valid', async () => {
    for (const each of [document, forOperators]) {
      const { errors } = await new Validator().validate(each as never);
      expect(errors ?? []).toEqual([]);
    }
  });

  it('passes the recommended rules of Redocly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'x12-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NODE_OPTIONS: '' };
    const lint = [cli, 'lint', file, '--extends=recommended', '--format=json'];
    const { stdout } = await promisify(execFile)(process.execPath, lint, { env, cwd: folder });
    await rm(folder, { recursive: true });
    // A page that leads a browser on has no other response.
    const pointer = '#/paths/~1v2~1auth~1oidc~1start/get/responses';
    const redirect = { ruleId: 'operation-2xx-response', location: [{ pointer }] };
    expect(JSON.parse(stdout).problems).toMatchObject([redirect]);
  });

  it('contains each route that responds with JSON, under a unique name', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const documented = service.api.app
      .get(Routes)
      .all()
      .filter(({ responds }) => responds !== undefined);
    expect(ids).toHaveLength(documented.length);
  });

  it('names each operation by its resource and one verb, in lower camel case', () => {
    const misnamed = operations.flatMap(({ operationId }) => {
      const names = operationId.split('.');
      const isNamed = names.length > 1 && names.every((name) => /^[a-z]+([A-Z][a-z]+)*$/.test(name));
      return isNamed && VERBS.some((verb) => verb === names.at(-1)) ? [] : [operationId];
    });
    expect(misnamed).toEqual([]);
  });

  it('has no operation whose name is the resource of another: the client nests by them', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => ids.some((other) => other.startsWith(`${id}.`)))).toEqual([]);
  });

  it('describes the effect, the response and the errors of each operation', () => {
    const silent = operations.filter(({ summary, tags, responses }) => !summary || !tags[0] || !('500' in responses));
    expect(silent).toEqual([]);
    const vague = operations.filter(({ description }) => !/^[A-Z][a-z]+s .*\. Returns .*\.$/s.test(description ?? ''));
    expect(vague.map(({ operationId, description }) => [operationId, description])).toEqual([]);
  });

  it('describes every tag, and has no other', () => {
    const tags = [...document.tags, ...forOperators.tags];
    const described = tags.filter(({ description }) => description).map(({ name }) => name);
    expect(described.sort()).toEqual([...new Set(operations.flatMap(({ tags }) => tags))].sort());
  });

  it('has the webhooks that are sent, and the pages and probes that are no JSON', () => {
    const ended = ['generation.succeeded', 'generation.failed', 'generation.canceled', 'batch.ended'];
    expect(Object.keys(document.webhooks)).toEqual(ended);
    expect(forOperators).not.toHaveProperty('webhooks');
    expect(document.paths).toMatchObject({ '/health/serving': { get: {} }, '/v2/auth/oidc/start': { get: {} } });
  });

  it('types the lists of a matrix, and what a share allows', () => {
    const { BatchRequest, CreateShareRequest, ShareDto } = document.components.schemas;
    const lists = ['models', 'prompts', 'variables', 'personas', 'styles', 'parameters', 'seeds', 'seeds_count'];
    expect(Object.keys(BatchRequest!.properties!.matrix!.allOf![0]!.properties!)).toEqual(lists);
    expect(BatchRequest!.required).toEqual(['name']);
    const words = { type: 'array', items: { enum: ['download', 'comment', 'decide'] } };
    for (const schema of [CreateShareRequest, ShareDto]) expect(schema!.properties!.allow).toMatchObject(words);
  });

  it('omits the routes for operators', () => {
    const paths = Object.keys(forOperators.paths);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !path.startsWith('/admin/api/'))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('/admin/api');
  });

  it('describes every field', () => {
    const schemas = { ...document.components.schemas, ...forOperators.components.schemas };
    const undescribed = Object.entries(schemas)
      .filter(([name]) => !['Success', 'Error'].includes(name))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, { description }]) => !description)
          .map(([field]) => `${name}.${field}`),
      );
    expect(undescribed).toEqual([]);
  });

  it('documents no field that class-transformer does not know: responses would lose it', () => {
    const routes = service.api.app.get(Routes).all();
    const classes = routes.flatMap(({ body, queries, responds }) => [
      ...queries,
      ...[body, responds?.type, ...Object.values(responds?.also ?? {}).flat()].filter((type) => type != null),
    ]);
    const seen = new Set<Type<object>>();
    const check = (type: Type<object>): void => {
      if (seen.has(type)) return;
      seen.add(type);
      const documented = (Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype) ?? []) as string[];
      const fields = fieldsOf(type);
      expect([type.name, documented.map((name) => name.slice(1))]).toEqual([type.name, [...fields.keys()]]);
      for (const { nested } of fields.values()) if (nested) check(nested());
    };
    classes.forEach(check);
    expect(seen.size).toBeGreaterThan(20);
  });

  it('has examples that the service takes', () => {
    const bodies = service.api.app
      .get(Routes)
      .all()
      .flatMap(({ body }) => body ?? []);
    const schemas = { ...document.components.schemas, ...forOperators.components.schemas };
    for (const body of new Set(bodies)) {
      const { properties = {}, required = [] } = schemas[body.name]!;
      const example = Object.fromEntries(
        Object.entries(properties).flatMap(([name, { examples }]) => (examples ? [[name, examples[0]]] : [])),
      );
      expect([body.name, Object.keys(example)]).toEqual([body.name, expect.arrayContaining([...required])]);
      expect(() => readFields(body, example)).not.toThrow();
    }
  });
});
