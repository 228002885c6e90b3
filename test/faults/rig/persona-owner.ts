import type { Chance } from './chance.ts';
import type { Client, FaultActor } from './client.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** Makes personas with files of their own and deletes them, and counts on the files being gone with them. */
export class PersonaOwner implements FaultActor {
  readonly name = 'personas';
  readonly meanPauseMs = 150;
  readonly #kept: string[] = [];
  readonly #gone: string[] = [];
  #count = 0;

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
  ) {}

  async work(): Promise<void> {
    const key = `persona-${this.#count++}-${this.chance.next()}`;
    const persona = await this.client.call('POST', '/v2/personas', { form: { name: 'Ada' }, key });
    const pid = String(persona.body.persona.id);
    const form = { filename: 'a.svg', pid };
    const { body: ticket } = await this.client.call('POST', '/v2/upload', { form, key: `${key}-file` });
    await this.client.put(ticket.signed_url, Buffer.from(SVG), ticket.headers);
    const query = `url=${encodeURIComponent(ticket.final_url)}`;
    const saved = await this.client.call('GET', `/v2/finalize_upload?${query}`);
    if (saved.status !== 200) throw new Error(`finalize: ${JSON.stringify(saved.body)}`);
    if (this.chance.next() < 0.5) {
      this.#kept.push(ticket.final_url);
      return;
    }
    const { status } = await this.client.call('DELETE', `/v2/personas/${pid}`);
    if (status !== 200 && status !== 404) throw new Error(`deleting a persona answers ${status}`);
    this.#gone.push(ticket.final_url);
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    for (const [urls, promised] of [
      [this.#kept, [200]],
      // Buckets that can't be listed do not tell strangers what is not there.
      [this.#gone, [404, 403]],
    ] as const) {
      for (const url of urls) {
        const { status } = await this.client.read(url);
        if (!(promised as readonly number[]).includes(status)) {
          broken.push(`${url} answers ${status} instead of ${promised.join(' or ')}`);
        }
      }
    }
    return broken;
  }

  summary(): string {
    return `${this.#kept.length} personas kept, ${this.#gone.length} deleted`;
  }
}
