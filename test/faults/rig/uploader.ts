import type { Chance } from './chance.ts';
import type { Client, FaultActor } from './client.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

interface Promised {
  readonly url: string;
  readonly bytes: Buffer;
  readonly temporary: boolean;
}

/** Uploads pictures, and counts on getting back the very bytes of those that were finalized. */
export class Uploader implements FaultActor {
  readonly name = 'uploads';
  readonly meanPauseMs = 150;
  readonly files: Promised[] = [];
  #count = 0;

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
  ) {}

  async work(): Promise<void> {
    const temporary = this.chance.next() < 0.5;
    const filename = `${temporary ? 'x12tmp-' : ''}${this.#count++}.png`;
    const bytes = Buffer.concat([PIXEL, this.chance.bytes(64)]);
    const key = `upload-${this.#count}-${this.chance.next()}`;
    const ticket = await this.client.call('POST', '/v2/upload', { form: { filename }, key });
    if (ticket.status !== 201) throw new Error(`upload: ${JSON.stringify(ticket.body)}`);
    const { signed_url, final_url, headers } = ticket.body as {
      signed_url: string;
      final_url: string;
      headers: Record<string, string>;
    };
    const put = await this.client.put(signed_url, bytes, headers);
    if (put !== 200) throw new Error(`PUT: ${put}`);
    // One in ten is never finalized.
    if (this.chance.next() < 0.1) return;
    const saved = await this.client.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`);
    if (saved.status !== 200) throw new Error(`finalize: ${JSON.stringify(saved.body)}`);
    this.files.push({ url: final_url, bytes, temporary });
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    for (const { url, bytes } of this.files) {
      const read = await this.client.read(url);
      if (read.status !== 200) broken.push(`${url} was saved and answers ${read.status}`);
      else if (!read.bytes.equals(bytes)) broken.push(`${url} has other bytes than were saved`);
    }
    return broken;
  }

  summary(): string {
    const temporary = this.files.filter((file) => file.temporary).length;
    return `${this.files.length - temporary} permanent and ${temporary} temporary files saved`;
  }
}
