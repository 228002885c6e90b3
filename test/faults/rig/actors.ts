import type { Chance } from './chance.ts';
import type { Client } from './client.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');

type Form = Readonly<Record<string, string>>;

/** A client that does its part again and again, and remembers what the responses promised. */
export abstract class FaultActor {
  abstract readonly name: string;
  #count = 0;

  /** @param meanPauseMs between two pieces of work */
  constructor(
    protected readonly client: Client,
    protected readonly chance: Chance,
    readonly meanPauseMs = 150,
  ) {}

  /** One piece of work, from the first request to the response that it relies on. */
  abstract work(): Promise<void>;
  /** Everything that is not as promised, once all jobs have ended. */
  abstract brokenPromises(): Promise<string[]>;
  /** Promises, for the report. */
  abstract summary(): string;

  /** Posts once, however often the request is repeated. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of any shape
  protected async post(path: string, form: Form, expected = 201): Promise<any> {
    const key = `${this.name}-${this.#count++}-${this.chance.next()}`;
    const { status, body } = await this.client.call('POST', path, { form, key });
    if (status !== expected) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** A repeated deletion may find that the first one succeeded. */
  protected async delete(path: string): Promise<void> {
    const { status, body } = await this.client.call('DELETE', path);
    if (status !== 200 && status !== 404) throw new Error(`${path}: ${JSON.stringify(body)}`);
  }

  /** Uploads a file, and finalizes the upload unless `isAbandoned`. @returns its URL */
  protected async upload(form: Form, bytes: Buffer, isAbandoned = false): Promise<string> {
    const ticket = await this.post('/v2/upload', form);
    const put = await this.client.put(ticket.signed_url, bytes, ticket.headers);
    if (put !== 200) throw new Error(`PUT: ${put}`);
    const url = ticket.final_url as string;
    if (isAbandoned) return url;
    const saved = await this.client.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(url)}`);
    if (saved.status !== 200) throw new Error(`finalize: ${JSON.stringify(saved.body)}`);
    return url;
  }
}

/** Uploads pictures, and expects to read the very bytes of those that were finalized. */
export class Uploader extends FaultActor {
  readonly name = 'uploads';
  readonly files: { readonly url: string; readonly bytes: Buffer; readonly isTemporary: boolean }[] = [];
  #number = 0;

  async work(): Promise<void> {
    const isTemporary = this.chance.next() < 0.5;
    const isAbandoned = this.chance.next() < 0.1;
    const filename = `${isTemporary ? 'x12tmp-' : ''}${this.#number++}.png`;
    const bytes = Buffer.concat([PIXEL, this.chance.bytes(64)]);
    const url = await this.upload({ filename }, bytes, isAbandoned);
    if (!isAbandoned) this.files.push({ url, bytes, isTemporary });
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    for (const { url, bytes } of this.files) {
      const read = await this.client.read(url);
      if (read.status !== 200) broken.push(`${url} was saved and responds ${read.status}`);
      else if (!read.bytes.equals(bytes)) broken.push(`${url} has other bytes than were saved`);
    }
    return broken;
  }

  summary(): string {
    const temporary = this.files.filter((file) => file.isTemporary).length;
    return `${this.files.length - temporary} permanent and ${temporary} temporary files saved`;
  }
}

/** Adds personas with files of their own and deletes some, whose files must be deleted too. */
export class PersonaOwner extends FaultActor {
  readonly name = 'personas';
  readonly #kept: string[] = [];
  readonly #deleted: string[] = [];

  async work(): Promise<void> {
    const { persona } = await this.post('/v2/personas', { name: 'Ada' });
    const url = await this.upload({ filename: 'a.svg', pid: String(persona.id) }, SVG);
    const isKept = this.chance.next() < 0.5;
    if (!isKept) await this.delete(`/v2/personas/${persona.id}`);
    (isKept ? this.#kept : this.#deleted).push(url);
  }

  async brokenPromises(): Promise<string[]> {
    // A bucket that can't be listed does not reveal to the public which keys are missing.
    return [...(await this.#not([200], this.#kept)), ...(await this.#not([404, 403], this.#deleted))];
  }

  async #not(promised: readonly number[], urls: readonly string[]): Promise<string[]> {
    const broken: string[] = [];
    for (const url of urls) {
      const { status } = await this.client.read(url);
      if (!promised.includes(status)) broken.push(`${url} responds ${status} instead of ${promised.join(' or ')}`);
    }
    return broken;
  }

  summary(): string {
    return `${this.#kept.length} personas kept, ${this.#deleted.length} deleted`;
  }
}
