import type { Client } from './generated/client/index.ts';

type Page<Responses> = Responses[keyof Responses];
type Entry<P> = { [Field in keyof P]: P[Field] extends readonly (infer E)[] ? E : never }[keyof P];
type Request = Parameters<Client['get']>[0];

/** Default number of entries of a page. */
const PAGE = 100;

/**
 * A list of the service. `await` reads one page, with its `next_cursor`; `for await` iterates over the entries of all pages,
 * and reads each page when it is needed.
 */
export class List<Responses> implements Promise<Page<Responses>>, AsyncIterable<Entry<Page<Responses>>> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #client: Client;
  readonly #request: Request;

  constructor(client: Client, request: Request) {
    this.#client = client;
    this.#request = request;
  }

  then: Promise<Page<Responses>>['then'] = (...handlers) => this.#read().then(...handlers);
  catch: Promise<Page<Responses>>['catch'] = (...handlers) => this.#read().catch(...handlers);
  finally: Promise<Page<Responses>>['finally'] = (...handlers) => this.#read().finally(...handlers);

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry<Page<Responses>>, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page = await this.#read({ limit: PAGE, ...this.#request.query, ...(cursor && { cursor }) });
      // A page has one list, such as `boards`.
      yield* Object.values(page as object).find(Array.isArray) as Entry<Page<Responses>>[];
      cursor = (page as { next_cursor?: string | null }).next_cursor;
    } while (cursor);
  }

  async #read(query = this.#request.query): Promise<Page<Responses>> {
    return (await this.#client.get({ ...this.#request, query })) as Page<Responses>;
  }
}
