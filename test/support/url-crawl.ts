import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestRequest, TestResponse } from './call-api.ts';
import { followStream, type BoardEvent } from './board-stream.ts';
import { readZip } from './read-zip.ts';
import type { TestService } from './service.ts';

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Content types of its responses. */
  readonly types: readonly string[];
  /** Names of the fields of its responses that are declared as URLs. */
  readonly urlFields: readonly string[];
  /** It reads, or a URL may be in its responses: in a field by its form or name, a free-form object, or a file. */
  readonly mayShowUrls: boolean;
}

interface Declared {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const FREE_FORM_OR_URL = /"(\w+_)?urls?":|"additionalProperties":true/;

export function operationsOf({ paths, components }: OpenAPIObject): Operation[] {
  const schemas = components?.schemas ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Declared>).map(([method, { operationId: id, responses }]) => {
      const contents = Object.keys(responses).flatMap((status) =>
        status < '4' ? [responses[status]!.content ?? {}] : [],
      );
      const types = contents.flatMap((content) => Object.keys(content));
      const schemasOfIt = new Set<object>();
      const urlFields = [...urlFieldsIn(contents, '', { schemas, seen: schemasOfIt })];
      const isFile = types.some((type) => type !== 'application/json');
      const isOpen = FREE_FORM_OR_URL.test(JSON.stringify([...schemasOfIt]));
      const mayShowUrls = method === 'get' || urlFields.length > 0 || isFile || isOpen;
      return { id, method: method.toUpperCase(), path, types, urlFields, mayShowUrls };
    }),
  );
}

/** Names of the fields that a part of the document declares as URLs; adds the parts that it consists of to `seen`. */
function* urlFieldsIn(
  part: unknown,
  name: string,
  context: { readonly schemas: Readonly<Record<string, unknown>>; readonly seen: Set<object> },
): Generator<string> {
  if (typeof part !== 'object' || part === null || context.seen.has(part)) return;
  context.seen.add(part);
  const { $ref, format, properties = {}, ...others } = part as Record<string, object>;
  if (typeof $ref === 'string') yield* urlFieldsIn(context.schemas[($ref as string).split('/').pop()!], name, context);
  if ((format as unknown) === 'uri') yield name;
  for (const [field, schema] of Object.entries(properties)) yield* urlFieldsIn(schema, field, context);
  for (const other of Object.values(others)) yield* urlFieldsIn(other, name, context);
}

/** The texts in any value, with the name of the field that each is in. */
function* textsIn(value: unknown, name = ''): Generator<readonly [name: string, text: string]> {
  if (typeof value === 'string') yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* textsIn(each, Array.isArray(value) ? name : key);
}

/** A URL of a stored file, absolute or not, wherever it stands in a text. */
const FILE_URL = /(?:https?:\/\/[^\s"'<>\\,]+)?\/files\/(?:weights\/)?[\w-]{20,}\/[^\s"'<>\\,]+/g;

/** Uses a service, and keeps all URLs of files that it gives out, with the place where each stood first. */
export class UrlCrawl {
  readonly urls = new Map<string, string>();
  /** Ids of operations that succeeded, and the other places that were read. */
  readonly read = new Set<string>();
  /** Places that had a URL of a file. */
  readonly showing = new Set<string>();
  /** Names of fields that had a URL of a file. */
  readonly fields = new Set<string>();
  /** Bodies of refusals. */
  readonly refusals: string[] = [];
  readonly #operations: readonly (readonly [Operation, RegExp])[];

  constructor(
    private readonly service: Pick<TestService, 'baseUrl' | 'call'>,
    operations: readonly Operation[],
    private readonly token: string,
  ) {
    this.#operations = operations
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
      .map((operation) => [operation, new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)]);
  }

  /** Keeps the URLs in any value. */
  note(place: string, value: unknown): void {
    this.read.add(place);
    for (const [name, text] of textsIn(value)) {
      for (const [found] of text.replaceAll('&amp;', '&').matchAll(FILE_URL)) {
        this.showing.add(place);
        this.fields.add(name);
        const url = new URL(found, this.service.baseUrl).href;
        if (!this.urls.has(url)) this.urls.set(url, place);
      }
    }
  }

  /** @throws Error for a refusal */
  async call(method: string, path: string, json?: object, request: TestRequest = {}): Promise<TestResponse['body']> {
    const response = await this.service.call(method, path, { token: this.token, json, ...request });
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    this.#noteResponse(method, path, response);
    return response.body;
  }

  /** Makes a call that is refused. */
  async refused(method: string, path: string, json?: object): Promise<void> {
    const { status, body, headers } = await this.service.call(method, path, { token: this.token, json });
    if (status < 400) throw new Error(`${method} ${path} is not refused`);
    this.refusals.push(JSON.stringify([`${method} ${path.replace(/\?.*/, '')}`, body, [...headers]]));
  }

  /** Reads a stream of events until one is the last. */
  async follow(path: string, isLast: (event: BoardEvent) => boolean): Promise<void> {
    const stream = await followStream(`${this.service.baseUrl}${path}`, this.token);
    await stream.until(isLast);
    stream.stop();
    await stream.closed;
    this.note(this.#idOf('GET', path), stream.events);
  }

  /** Reads a zip with all that is in it, bytes of pictures too. */
  async unzip(address: string): Promise<void> {
    const url = new URL(address, this.service.baseUrl);
    const response = await fetch(url, { headers: { authorization: `Bearer ${this.token}` } });
    const entries = await readZip(Buffer.from(await response.arrayBuffer()));
    const contents = entries.map(({ path, bytes }) => `${path}\n${bytes.toString('latin1')}`);
    this.note(this.#idOf('GET', url.pathname), [[...response.headers].join(' '), ...contents].join('\n'));
  }

  /** Keeps the URLs of a text that is no operation's. */
  async text(path: string): Promise<void> {
    this.note(path, await (await fetch(new URL(path, this.service.baseUrl))).text());
  }

  #noteResponse(method: string, path: string, { body, headers }: TestResponse): void {
    const id = this.#idOf(method, new URL(path, this.service.baseUrl).pathname);
    this.note(id, body);
    this.note(`${id} (headers)`, [...headers]);
  }

  #idOf(method: string, path: string): string {
    const [pathname] = path.split('?');
    const found = this.#operations.find(([each, pattern]) => each.method === method && pattern.test(pathname!));
    if (!found) throw new Error(`${method} ${path} is no operation`);
    return found[0].id;
  }
}
