import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { DryRunResponse, GenerateResponse, ModelDto } from '../generated/index.ts';
import { randomKey } from '../retrying-fetch.ts';
import type { X12 } from '../x12.ts';
import type { Call } from './command.ts';
import { Failure, UsageError } from './failures.ts';
import { openInBrowser } from './open-browser.ts';
import { saveOutputs } from './outputs.ts';
import type { Session } from './session.ts';

interface Collect {
  readonly out?: string;
  readonly open?: boolean;
}

interface Generate extends Collect {
  readonly model?: string;
  readonly persona?: number;
  readonly image?: string;
  readonly param?: readonly string[];
  readonly cost?: boolean;
  readonly wait?: boolean;
  readonly 'no-wait'?: boolean;
  readonly key?: string;
}

export async function models(session: Session): Promise<void> {
  const x12 = await session.client();
  const { models: all } = await x12.models.list({ signal: session.signal });
  session.print(
    all,
    all.map((model) => [model.id, model.kind, costOf(model), model.title]),
  );
}

function costOf({ cost, cost_parameter, cost_per }: ModelDto): string {
  const unit = cost_per === 'second' ? ' a second' : '';
  if (typeof cost === 'number') return `${cost}${unit}`;
  const amounts = Object.entries(cost).map(([value, credits]) => `${value}: ${credits}`);
  return `${amounts.join(', ')}${unit} by ${cost_parameter}`;
}

export async function generate(session: Session, { args: [prompt], options }: Call<Generate>): Promise<void> {
  const { signal } = session;
  const { model, persona, image, key = randomKey() } = options;
  const parameters = parametersOf(options.param);
  const x12 = await session.client();
  session.resume = `If it was started, the same command gets its result with --key ${key}`;
  const input = { ...parameters, model, prompt, pid: persona, image: image && (await urlOf(x12, image, key, signal)) };
  if (options.cost) {
    const estimate = (await x12.generations.create({ ...input, dry_run: true }, { signal })) as DryRunResponse;
    return session.print(estimate, [[`${estimate.cost} credits`]]);
  }
  const request = { signal, headers: { 'Idempotency-Key': key } };
  const started = (await x12.generations.create(input, request)) as GenerateResponse;
  const id = started.generation_id;
  const mayWait = options.wait || options.out !== undefined || options.open || process.stdout.isTTY;
  if (mayWait && !options['no-wait']) return collect(session, x12, id, options);
  session.note(`Started. x12 wait ${id} collects it.`);
  session.print(started, [[id]]);
}

function parametersOf(texts: readonly string[] = []): Record<string, string> {
  const pairs = texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new UsageError(`--param takes name=value, not ${text}`);
    return [name, value!];
  });
  return Object.fromEntries(pairs);
}

/** The URL of an input; a file is uploaded, once under one key, so that a repeated call is the same call. */
async function urlOf(x12: X12, image: string, key: string, signal: AbortSignal): Promise<string> {
  if (/^https?:\/\//i.test(image)) return image;
  const digest = createHash('sha256').update(key);
  for await (const chunk of createReadStream(image)) digest.update(chunk as Buffer);
  const { url } = await x12.upload(image, { temporary: true, idempotencyKey: digest.digest('hex'), signal });
  // The signature of a private file differs from hour to hour.
  return url.replace(/\?.*/, '');
}

export async function wait(session: Session, { args: [id], options }: Call<Collect>): Promise<void> {
  await collect(session, await session.client(), Number(id), options);
}

/** Waits for the end of a generation, then prints its outputs. @throws Failure `failed` */
async function collect(session: Session, x12: X12, id: number, { out, open }: Collect): Promise<void> {
  const { signal } = session;
  session.resume = `Generation ${id} goes on. Collect it: x12 wait ${id}`;
  const generation = await x12.waitFor(id, {
    signal,
    onProgress: ({ state, progress }) => session.progress(`${state} ${Math.round(progress * 100)} %`),
  });
  const { state, error, outputs } = generation;
  if (state !== 'succeeded') {
    const reason = error ? `${error.code}: ${error.message}` : state;
    throw new Failure('failed', `generation ${id}: ${reason}; its credits are released`, generation);
  }
  const saved = out === undefined ? [] : await saveOutputs(x12, generation, out, signal);
  const shown = out === undefined ? outputs.map(({ url }) => url) : saved;
  session.print(
    { ...generation, saved },
    shown.map((each) => [each]),
  );
  if (open && outputs[0]) openInBrowser(outputs[0].url);
}
