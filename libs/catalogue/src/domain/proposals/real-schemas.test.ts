import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AjvParameterCheck, readCatalog } from '#adapters/catalog';
import { temporaryFolder } from '../../../../sources/src/testing/temporary-folder.ts';
import { INPUT_NAMES } from '../mapping.ts';
import type { Parameter } from '../model.ts';
import { placeholdersOf } from '../mapping.ts';
import { proposeComfyui } from './comfyui.ts';
import { proposeFal } from './fal.ts';
import { proposeOpenai } from './openai.ts';
import type { Answers, PictureRole, Proposal, Question } from './proposal.ts';
import { proposeReplicate } from './replicate.ts';
import { parseVendorJson } from './schema.ts';

type Facts = Record<string, unknown>;
type Vendor = 'replicate' | 'fal' | 'openai' | 'comfyui';

/** A line of `expected.jsonl`; `?` is a question. */
interface Expected {
  readonly vendor: Vendor;
  readonly model: string;
  readonly kind: string;
  readonly pictures: string;
  readonly tasks: string;
  /** Some of the parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The questions besides the cost. */
  readonly asks: readonly string[];
  readonly refused?: string;
}

const linesOf = <T>(file: string): T[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseVendorJson(line) as T);
const factsIn = (file: string) => linesOf<Facts>(file);

const expected = linesOf<Expected>('expected');
const PROPOSED = expected.filter(({ refused }) => refused === undefined);
const REFUSED = expected.filter(({ refused }) => refused !== undefined);

const models = new Map(factsIn('replicate').map((model) => [model['name'], model]));
const endpoints = new Map(factsIn('fal').map((document) => [Object.keys(document['paths'] as Facts)[0], document]));
const workflows = new Map(factsIn('comfyui').map(({ name, workflow }) => [name, workflow]));
const objectInfo = Object.fromEntries(factsIn('object-info').map(({ type, ...info }) => [type, info]));

function propose(vendor: Vendor, name: string, answers: Answers = {}): Proposal {
  const options = { provider: 'vendor', answers };
  if (vendor === 'replicate') return proposeReplicate(models.get(name), options);
  if (vendor === 'fal') return proposeFal(endpoints.get(`/${name}`), options);
  if (vendor === 'openai') return proposeOpenai(name, options);
  return proposeComfyui(workflows.get(name), { ...options, name, objectInfo });
}

/** `image_urls=image+references?`: optional pictures have a question mark. */
function picturesOf({ entry: { mapping, inputs = {} } }: Proposal): string {
  const fields = Object.entries(mapping).flatMap(([path, value]) => {
    const names = INPUT_NAMES.filter((name) => placeholdersOf({ [path]: value }).includes(name));
    const shown = names.map((name) => `${name}${inputs[name] === 'optional' ? '?' : ''}`);
    return names.length > 0 ? [`${path}=${shown.join('+')}`] : [];
  });
  return fields.join(' ');
}

/** `integer 1..4 = 1`, or `string of 3 = "1:1"` with the number of choices. */
function shortly({ type, minimum, maximum, enum: choices, default: byDefault }: Parameter): string {
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}..${maximum ?? ''}`;
  const chosen = choices && (type === 'string' ? ` of ${choices.length}` : ` of ${choices.join('|')}`);
  return `${type}${chosen ?? range}${byDefault === undefined ? '' : ` = ${JSON.stringify(byDefault)}`}`;
}

const asked = ({ questions }: Proposal) =>
  questions.flatMap((question) => {
    if (question.about === 'cost') return [];
    return question.about === 'picture' ? [`picture ${question.field}`] : [question.about];
  });

/** Answers as an operator would give them: the first choice that is left. */
function answered(questions: readonly Question[], answers: Answers): Answers {
  const pictures: Record<string, PictureRole> = { ...answers.pictures };
  let further: Answers = { ...answers, cost: 4 };
  for (const question of questions) {
    if (question.about === 'kind') further = { ...further, kind: 'image' };
    if (question.about === 'tasks') further = { ...further, tasks: question.suggested };
    if (question.about === 'prompt') further = { ...further, prompt: question.choices[0]! };
    if (question.about === 'picture') {
      pictures[question.field] = question.choices.find((role) => !Object.values(pictures).includes(role)) ?? 'none';
    }
  }
  return { ...further, pictures };
}

const check = new AjvParameterCheck();
const { fileAt } = temporaryFolder();

/** Reads a catalogue of which the proposal is the only entry: an invalid one throws. */
function readModel({ entry, workflow }: Proposal, type: Vendor) {
  const file = fileAt('models.json');
  if (workflow) writeFileSync(fileAt(entry.target), JSON.stringify(workflow));
  writeFileSync(
    file,
    JSON.stringify({ providers: [{ id: 'vendor', type, base_url: 'http://10.0.0.7' }], models: [entry] }),
  );
  return readCatalog({ file, env: {}, types: ['replicate', 'fal', 'openai', 'comfyui'], local: [], check }).models[0]!;
}

describe.each(PROPOSED)('$vendor $model', ({ vendor, model, kind, pictures, tasks, parameters, asks }) => {
  const proposal = propose(vendor, model);

  it('is proposed by its facts', () => {
    const { entry } = proposal;
    expect([entry.kind ?? '?', picturesOf(proposal), entry.tasks?.join(' ') ?? '?']).toEqual([kind, pictures, tasks]);
    expect(asked(proposal)).toEqual(asks);
    const declared = Object.keys(parameters).map((key) => [key, shortly(entry.parameters![key]!)]);
    expect(Object.fromEntries(declared)).toEqual(parameters);
  });

  it('is accepted by the catalogue once the questions are answered', () => {
    let answers: Answers = {};
    let complete = proposal;
    for (let round = 0; complete.questions.length > 0 && round < 4; round++) {
      answers = answered(complete.questions, answers);
      complete = propose(vendor, model, answers);
    }
    expect(complete.questions).toEqual([]);
    expect(readModel(complete, vendor)).toMatchObject({ id: complete.entry.id, cost: { credits: 4 } });
  });
});

it.each(REFUSED)('refuses $vendor $model: it $refused', ({ vendor, model, refused }) => {
  expect(() => propose(vendor, model)).toThrow(`target ${refused}`);
});

it('expects something of every schema', () => {
  const known = expected.filter(({ vendor }) => vendor !== 'openai').length;
  expect(known).toBe(models.size + endpoints.size + workflows.size);
});

it('asks nothing but the cost for three of four models', () => {
  const clear = PROPOSED.filter(({ asks }) => asks.length === 0);
  expect(PROPOSED.length).toBeGreaterThanOrEqual(80);
  expect(clear.length / PROPOSED.length).toBeGreaterThanOrEqual(0.75);
});
