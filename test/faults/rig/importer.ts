import type { MediaServer } from '../../support/media-server.ts';
import { FaultActor } from './actors.ts';
import type { Chance } from './chance.ts';
import type { Client } from './client.ts';

interface Imported {
  readonly id: number;
  readonly source: string;
  readonly promised: 'processed' | 'failed';
}

/**
 * Adds pictures to a board from an untrusted server that also fails, hangs, breaks off and lies. Expects each to reach
 * its final state: good ones are processed, the others fail with a reason.
 */
export class Importer extends FaultActor {
  readonly name = 'imports';
  readonly #sources: readonly { readonly promised: Imported['promised']; make(): string }[];
  readonly #imported: Imported[] = [];
  #board: number | null = null;

  constructor(client: Client, chance: Chance, server: MediaServer, picture: Buffer) {
    super(client, chance, 600);
    const good = [
      () => server.serve(picture),
      () => server.serve(picture, { 'content-type': 'text/html' }),
      () => server.failOnce(picture),
    ];
    const bad = [
      () => server.fail(404),
      () => server.hang(),
      () => server.breakOff(picture),
      () => server.pour(),
      () => server.serve(Buffer.from('no'), { 'content-type': 'image/png' }),
      () => server.serve(picture.subarray(0, picture.length / 2)),
    ];
    this.#sources = [
      ...good.map((make) => ({ promised: 'processed' as const, make })),
      ...bad.map((make) => ({ promised: 'failed' as const, make })),
    ];
  }

  async work(): Promise<void> {
    this.#board ??= (await this.post('/boards', { name: 'Imports' })).board.id as number;
    const { promised, make } = this.chance.pick(this.#sources);
    const source = make();
    const { media } = await this.post(`/boards/${this.#board}/media`, { url: source });
    this.#imported.push({ id: media.id, source, promised });
  }

  async brokenPromises(): Promise<string[]> {
    if (this.#board === null) return [];
    const { body } = await this.client.call('GET', `/boards/${this.#board}`);
    const found = body.board.media as { id: number; state: string; url: string | null; error: string | null }[];
    const broken: string[] = [];
    for (const { id, source, promised } of this.#imported) {
      const media = found.find((each) => each.id === id);
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
}
