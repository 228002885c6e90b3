import type { MediaServer } from '../../support/media-server.ts';
import type { Chance } from './chance.ts';
import type { Client, FaultActor } from './client.ts';

interface Imported {
  readonly id: number;
  readonly source: string;
  readonly promised: 'processed' | 'failed';
}

/**
 * Puts pictures from a stranger's server on a board, a server that also fails, hangs, breaks off and lies; and counts
 * on each coming to its end: the good ones processed, the others failed with a reason.
 */
export class Importer implements FaultActor {
  readonly name = 'imports';
  readonly meanPauseMs = 600;
  readonly #sources: readonly { readonly promised: Imported['promised']; make(): string }[];
  readonly #imported: Imported[] = [];
  #board: number | null = null;
  #count = 0;

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    server: MediaServer,
    picture: Buffer,
  ) {
    this.#sources = [
      { promised: 'processed', make: () => server.serve(picture) },
      { promised: 'processed', make: () => server.serve(picture, { 'content-type': 'text/html' }) },
      { promised: 'processed', make: () => server.failOnce(picture) },
      { promised: 'failed', make: () => server.fail(404) },
      { promised: 'failed', make: () => server.hang() },
      { promised: 'failed', make: () => server.breakOff(picture) },
      { promised: 'failed', make: () => server.pour() },
      { promised: 'failed', make: () => server.serve(Buffer.from('no'), { 'content-type': 'image/png' }) },
      { promised: 'failed', make: () => server.serve(picture.subarray(0, picture.length / 2)) },
    ];
  }

  async work(): Promise<void> {
    this.#board ??= await this.#create('/boards', { name: 'Imports' }, 'board');
    const { promised, make } = this.chance.pick(this.#sources);
    const source = make();
    const id = await this.#create(`/boards/${this.#board}/media`, { url: source }, 'media');
    this.#imported.push({ id, source, promised });
  }

  async brokenPromises(): Promise<string[]> {
    if (this.#board === null) return [];
    const { body } = await this.client.call('GET', `/boards/${this.#board}`);
    const found = new Map(
      (body.board.media as { id: number; state: string; url: string | null; error: string | null }[]).map((media) => [
        media.id,
        media,
      ]),
    );
    const broken: string[] = [];
    for (const { id, source, promised } of this.#imported) {
      const media = found.get(id);
      if (media?.state !== promised) {
        broken.push(`media ${id} of ${source} is ${media?.state} (${media?.error}) instead of ${promised}`);
      } else if (promised === 'failed' && media.error === null) {
        broken.push(`media ${id} failed without a reason`);
      } else if (promised === 'processed' && (await this.client.read(media.url!)).status !== 200) {
        broken.push(`media ${id} has no picture`);
      }
    }
    return broken;
  }

  summary(): string {
    const good = this.#imported.filter(({ promised }) => promised === 'processed').length;
    return `${good} good and ${this.#imported.length - good} bad pictures imported`;
  }

  async #create(path: string, form: Record<string, string>, what: string): Promise<number> {
    const key = `import-${this.#count++}-${this.chance.next()}`;
    const { status, body } = await this.client.call('POST', path, { form, key });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body[what].id as number;
  }
}
