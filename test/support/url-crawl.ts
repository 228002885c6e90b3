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
  /** A field of its responses is declared as a URL. */
  readonly declaresUrls: boolean;
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
      const declared = withReferences(contents, schemas);
      const declaresUrls = declared.includes('"format":"uri"');
      const isFile = types.some((type) => type !== 'application/json');
      const mayShowUrls = method === 'get' || declaresUrls || isFile || FREE_FORM_OR_URL.test(declared);
      return { id, method: method.toUpperCase(), path, types, declaresUrls, mayShowUrls };
    }),
  );
}

/** A part of the document as JSON, with every schema that it refers to. */
function withReferences(part: unknown, schemas: Readonly<Record<string, unknown>>, seen = new Set<string>()): string {
  const text = JSON.stringify(part);
  const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
  const added = [...new Set(referred)].filter((name) => !seen.has(name));
  for (const name of added) seen.add(name);
  return [text, ...added.map((name) => withReferences(schemas[name], schemas, seen))].join('\n');
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
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('&amp;', '&');
    for (const [found] of text.matchAll(FILE_URL)) {
      this.showing.add(place);
      const url = new URL(found, this.service.baseUrl).href;
      if (!this.urls.has(url)) this.urls.set(url, place);
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
