import { FaultActor } from './actors.ts';
import type { Chance } from './chance.ts';
import type { Client } from './client.ts';

const COST = 4;

interface Generation {
  readonly id: number;
  readonly state: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly outputs: readonly { readonly url: string }[];
}

/** Generates, cancels now and then, and expects each accepted request to end once and to cost what it says. */
export class Generator extends FaultActor {
  readonly accepted = new Set<number>();
  /** How many generations ended in each state. */
  states: Readonly<Record<string, number>> = {};
  readonly #canceled = new Set<number>();
  #seed = 0;
  /** In seconds, from request to start, the shortest first. */
  #waits: readonly number[] = [];

  /**
   * @param wanted how many it requests in all
   * @param flood how many of them at once when it begins
   */
  constructor(
    client: Client,
    chance: Chance,
    meanPauseMs: number,
    readonly name: string,
    readonly wanted: number,
    private flood = 1,
  ) {
    super(client, chance, meanPauseMs);
  }

  async work(): Promise<void> {
    const requests = Array.from({ length: this.flood }, () => this.#generate());
    this.flood = 1;
    await Promise.all(requests);
  }

  async #generate(): Promise<void> {
    const seed = String(this.#seed++);
    const form = { model: 'local-image', width: '64', height: '64', prompt: 'lake', seed };
    const { generation_id: id } = await this.post('/v2/generate', form, 202);
    this.accepted.add(id);
    if (this.chance.next() > 0.05) return;
    const cancel = await this.client.call('POST', `/v2/generations/${id}/cancel`, { key: `cancel-${seed}` });
    if (cancel.status === 200 && cancel.body.generation?.state === 'canceled') this.#canceled.add(id);
  }

  async openCount(): Promise<number> {
    return (await this.#all()).filter(({ state }) => state === 'queued' || state === 'running').length;
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    const all = await this.#all();
    this.states = Object.fromEntries(
      ['succeeded', 'failed', 'canceled'].map((state) => [state, all.filter((g) => g.state === state).length]),
    );
    this.#waits = all
      .flatMap((g) => (g.started_at ? [(Date.parse(g.started_at) - Date.parse(g.created_at)) / 1000] : []))
      .sort((a, b) => a - b);
    const known = new Set(all.map(({ id }) => id));
    for (const id of this.accepted) if (!known.has(id)) broken.push(`generation ${id} was accepted and is gone`);
    // The same key is the same request: however often a request was repeated, nothing is accepted twice.
    for (const id of known) if (!this.accepted.has(id)) broken.push(`generation ${id} runs beside the accepted ones`);
    for (const { id, state, outputs } of all) {
      if (!['succeeded', 'failed', 'canceled'].includes(state)) broken.push(`generation ${id} does not end`);
      if (this.#canceled.has(id) && state !== 'canceled') broken.push(`generation ${id} was cancelled and ${state}`);
      if ((state === 'succeeded') !== outputs.length > 0)
        broken.push(`generation ${id}: ${state}, ${outputs.length} outputs`);
      for (const { url } of outputs) {
        const { status } = await this.client.read(url);
        if (status !== 200) broken.push(`${url} is the output of generation ${id} and responds ${status}`);
      }
    }
    const urls = all.flatMap(({ outputs }) => outputs.map(({ url }) => url));
    if (new Set(urls).size < urls.length) broken.push('two generations have the same output');
    const { body } = await this.client.call('GET', '/v2/credits');
    const due = COST * this.states.succeeded!;
    if (body.credits.used !== due) broken.push(`${body.credits.used} credits are used instead of ${due}`);
    return broken;
  }

  summary(): string {
    const [median, longest] = [this.#waits[this.#waits.length >> 1], this.#waits.at(-1)];
    const waits = `waited ${median?.toFixed(1)} s (median), ${longest?.toFixed(1)} s at most`;
    return `${this.accepted.size} ${this.name} accepted: ${JSON.stringify(this.states)}; ${waits}`;
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
