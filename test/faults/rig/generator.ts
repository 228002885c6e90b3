import type { Chance } from './chance.ts';
import type { Client, FaultActor } from './client.ts';

const COST = 4;

interface Generation {
  readonly id: number;
  readonly state: string;
  readonly outputs: readonly { readonly url: string }[];
}

/** Generates, cancels now and then, and counts on each accepted call ending once and costing what it says. */
export class Generator implements FaultActor {
  readonly name = 'generations';
  readonly accepted = new Set<number>();
  readonly #canceled = new Set<number>();
  #count = 0;
  #states: Readonly<Record<string, number>> = {};

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    readonly meanPauseMs: number,
  ) {}

  async work(): Promise<void> {
    const seed = String(this.#count++);
    const form = { model: 'local-image', width: '64', height: '64', prompt: 'lake', seed };
    const key = `generation-${seed}-${this.chance.next()}`;
    const { status, body } = await this.client.call('POST', '/v2/generate', { form, key });
    if (status !== 202) throw new Error(`generate: ${JSON.stringify(body)}`);
    this.accepted.add(body.generation_id);
    if (this.chance.next() > 0.05) return;
    const answer = await this.client.call('POST', `/v2/generations/${body.generation_id}/cancel`, {
      key: `cancel-${seed}`,
    });
    if (answer.status === 200 && answer.body.generation?.state === 'canceled') this.#canceled.add(body.generation_id);
  }

  async openCount(): Promise<number> {
    return (await this.#all()).filter(({ state }) => state === 'queued' || state === 'running').length;
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    const all = await this.#all();
    this.#states = Object.fromEntries(
      ['succeeded', 'failed', 'canceled'].map((state) => [state, all.filter((g) => g.state === state).length]),
    );
    const known = new Set(all.map(({ id }) => id));
    for (const id of this.accepted) if (!known.has(id)) broken.push(`generation ${id} was accepted and is gone`);
    // The same key is the same call: whatever was repeated, there is no more than what was answered.
    for (const id of known) if (!this.accepted.has(id)) broken.push(`generation ${id} runs beside the accepted ones`);
    for (const { id, state, outputs } of all) {
      if (!['succeeded', 'failed', 'canceled'].includes(state)) broken.push(`generation ${id} does not end`);
      if (this.#canceled.has(id) && state !== 'canceled') broken.push(`generation ${id} was cancelled and ${state}`);
      if ((state === 'succeeded') !== outputs.length > 0)
        broken.push(`generation ${id}: ${state}, ${outputs.length} outputs`);
      for (const { url } of outputs) {
        const { status } = await this.client.read(url);
        if (status !== 200) broken.push(`${url} is the output of generation ${id} and answers ${status}`);
      }
    }
    const { body } = await this.client.call('GET', '/v2/credits');
    const due = COST * this.#states.succeeded!;
    if (body.credits.used !== due) broken.push(`${body.credits.used} credits are used instead of ${due}`);
    return broken;
  }

  summary(): string {
    return `${this.accepted.size} generations accepted: ${JSON.stringify(this.#states)}`;
  }

  async #all(): Promise<Generation[]> {
    const all: Generation[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await this.client.call('GET', `/v2/generations?limit=200${query}`);
      all.push(...(body.generations as Generation[]));
      cursor = body.next_cursor as string | null;
    }
    return all;
  }
}
