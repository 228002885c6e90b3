import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TASKS } from '#catalogue';
import { CatalogError, readCatalog } from './index.ts';
import {
  env,
  hd,
  local,
  model,
  ofModel,
  problemsOf,
  provider,
  SECRET,
  types,
  useCatalogueFolder,
} from './testing/catalogue-folder.ts';

useCatalogueFolder();

const trainer = {
  kind: 'style',
  family: 'oils',
  inputs: { pictures: 'required' },
  mapping: { images: '{pictures}' },
  result: { weights: 'file.url' },
};

describe('a wrong catalogue is refused with a line that names file, entry and field:', () => {
  /** A line says where it is, unless that is the usual entry. */
  const at = (entry: string, line: string) =>
    `models.yaml: ${/^(models|providers)\[/.test(line) ? '' : `${entry}: `}${line}`;
  const mapped = (name: string, path = 'prompt') => ({ mapping: { [path]: `{${name}}` } });

  const flow = (target: string) => ({ provider: 'studio', target });
  const painter = (fields: object) => ({ provider: 'local', target: 'local-image', mapping: undefined, ...fields });
  const counted = (count: object) => ({ parameters: { count } });
  const perSecond = (parameters: object) => ({ cost: { credits: 1, per: 'second' }, parameters });
  const byHd = (credits: object | number, declared: object = hd) => ({
    ...{ cost: { credits, parameter: 'hd' }, parameters: { hd: declared } },
  });
  const unknownIn = (name: string) =>
    `mapping names {${name}}, which is neither prompt, nor an input that it takes, nor a parameter`;
  const unusedIn = (name: string) => `mapping does not use {${name}}, which the model takes as an input`;
  const positive = (name: string) => `parameters.${name}.minimum must be above 0: the cost is counted by it`;
  const reserved = 'has the name of a field of every request';
  const duration = 'cost.per needs a parameter duration that is a number and has a default';
  const choices = 'cost.parameter must name a parameter with choices (enum), or a boolean one';
  const file = 'target must be a workflow file beside the catalogue';

  it.each<[entry: object, line: string]>([
    [{ id: undefined }, 'models[0]: id is missing'],
    [{ id: 'big room' }, 'models[0]: id must be 1 to 100 letters, digits, dots, _ or -'],
    [{ retires_at: 'soon' }, 'retires_at must be a date or a time in UTC, such as 2026-10-23 or 2026-10-23T17:00:00Z'],
    [{ retires_at: '2026-02-30' }, 'retires_at must be a time that exists'],
    [{ aliases: ['its name'] }, 'aliases.0 must be 1 to 100 letters, digits, dots, _, -, : or /'],
    [{ aliases: ['free', 'local-image'] }, 'aliases.1 is also the id of a model'],
    [{ provider: undefined }, 'provider is missing'],
    [{ target: undefined }, 'target is missing'],
    [{ kind: undefined }, 'kind is missing'],
    [{ mapping: undefined }, 'mapping is missing'],
    [{ cost: undefined }, 'cost is missing'],
    [{ kind: 'sound' }, 'kind must be one of image, video, vector, model3d, mask, style'],
    [
      { ...trainer, inputs: { style: 'optional' }, mapping: { style: '{style}' } },
      'inputs.pictures must be required for the kind style',
    ],
    [{ ...trainer, result: undefined }, 'result is required for the kind style'],
    [{ ...trainer, family: undefined }, 'family is required: only styles of the same family fit the model'],
    [
      { ...trainer, inputs: { pictures: 'required', min_pictures: 9, max_pictures: 8 } },
      'inputs.max_pictures must not be below min_pictures',
    ],
    [{ result: trainer.result }, 'result is for the kind style'],
    [{ family: 'oils', inputs: { style_weights: 'optional' }, ...mapped('prompt') }, unusedIn('style_weights')],
    [{ mapping: { prompt: '{style_trigger} {prompt}' } }, unknownIn('style_trigger')],
    [{ colour: 'red' }, 'colour is not a known field'],
    [{ id: 7 }, 'models[0]: id must be a text'],
    [{ target: '' }, 'target must not be empty'],
    [{ time_limit: 0 }, 'time_limit must be from 1 to 86400'],
    [{ time_limit: 86_401 }, 'time_limit must be from 1 to 86400'],
    [{ time_limit: 1.5 }, 'time_limit must be a whole number'],
    [
      { provider: 'nobody' },
      'provider must be one of local, vendor, studio: add it to providers, or set the variable with its key',
    ],
    [{ inputs: { image: 'yes' } }, 'inputs.image must be one of required, optional, none'],
    [{ inputs: { depth: 'none' } }, 'inputs.depth is not a known field'],
    [{ inputs: { references: 'optional', max_references: 7 } }, 'inputs.max_references must be from 1 to 6'],
    [{ inputs: { max_references: 2 } }, 'inputs.max_references needs references to be optional or required'],
    [{ cost: -1 }, 'cost must be from 0 to 1000000'],
    [{ cost: '4' }, 'cost must be a number or an object'],
    [{ cost: { per: 'output' } }, 'cost.credits is missing'],
    [{ cost: { credits: 1, per: 'hour' } }, 'cost.per must be one of output, second'],
    [{ cost: { credits: 1, per: 'second' } }, duration],
    [perSecond({ duration: { type: 'number' } }), duration],
    [perSecond({ duration: { type: 'number', default: 5 } }), positive('duration')],
    [perSecond({ duration: { type: 'number', default: 5, minimum: 0 } }), positive('duration')],
    [counted({ type: 'integer', default: 1, maximum: 4 }), positive('count')],
    [counted({ type: 'integer', default: 1, enum: [0, 1] }), positive('count')],
    [
      counted({ type: 'string', default: '1', enum: ['1', '4'] }),
      'parameters.count.type must be integer or number: the cost is counted by it',
    ],
    [{ cost: { credits: { 2: 1 }, parameter: 'hd' } }, choices],
    [{ cost: { credits: { 2: 1 } } }, choices],
    [byHd({ 2: 1, 4: 2 }, { ...hd, default: undefined }), 'cost.parameter must name a parameter with a default'],
    [byHd({ 2: 1 }), 'cost.credits has no amount for 4'],
    [byHd({ 2: 1, 4: 2, 8: 4 }), 'cost.credits.8 is no choice of hd'],
    [byHd({ 2: 'one', 4: 2 }), 'cost.credits.2 must be a number'],
    [byHd(1), 'cost.parameter needs an amount for each value of the parameter in credits'],
    [{ parameters: { hd: {} } }, 'parameters.hd.type is missing'],
    [{ tasks: ['paint'] }, `tasks.0 must be one of ${TASKS.join(', ')}`],
    [{ family: 'a b' }, 'family must be 1 to 100 letters, digits, dots, _ or -'],
    [
      { parameters: { hd: { type: 'int' } } },
      'parameters.hd.type must be one of integer, number, string, boolean, object, array',
    ],
    [{ parameters: { hd: { type: 'integer', minimum: 'one' } } }, 'parameters.hd.minimum must be a number'],
    [{ parameters: { 'a b': { type: 'integer' } } }, 'parameters.a b must have a name of letters, digits and _'],
    [{ parameters: { pid: { type: 'integer' } } }, `parameters.pid ${reserved}`],
    [{ parameters: { mask: { type: 'string' } } }, `parameters.mask ${reserved}`],
    [{ parameters: { hd: { ...hd, default: 3 } } }, 'parameters.hd.default must be one of 2, 4'],
    [mapped('colour'), unknownIn('colour')],
    [mapped('image'), unknownIn('image')],
    [{ inputs: { mask: 'optional' } }, unusedIn('mask')],
    [
      { inputs: { mask: 'optional' }, mapping: { prompt: '{prompt}', a: '{mask}', b: '{inverted_mask}' } },
      'mapping must use the mask in one form',
    ],
    [mapped('prompt', 'input.'), 'mapping.input. is not the path of a field'],
    [mapped('prompt', 'a.constructor'), 'mapping.a.constructor is not the path of a field'],
    [
      { mapping: { input: '{prompt}', 'input.text': 'x' } },
      'mapping cannot be used: the path input.text of the mapping leads through a value',
    ],
    [flow('gone.json'), `${file} (gone.json: can't be read (ENOENT))`],
    [flow('broken.json'), `${file} (broken.json: is not JSON)`],
    [flow('editor.json'), 'target must be a workflow in API format: an object of nodes with class_type and inputs'],
    [flow('../../etc/passwd'), 'target must be a file beside the catalogue'],
    [flow('/etc/passwd'), 'target must be a file beside the catalogue'],
    [
      { ...flow('flows/text.json'), ...mapped('prompt', '7.inputs.text') },
      'mapping.7.inputs.text needs a node 7 in the workflow',
    ],
    [painter({ target: 'local-sound', kind: undefined }), 'target must be one of local-image'],
    [painter({ kind: 'video' }), 'kind must be image, the kind of local-image'],
    [{ provider: 'local', target: 'local-image' }, 'mapping must be left out: a local model has its own'],
  ])('%j: %s', (entry, line) => {
    expect(problemsOf(ofModel(entry))).toEqual([at('models[0] (interior)', line)]);
  });

  it.each<[entry: object, line: string]>([
    [{ id: undefined }, 'providers[0]: id is missing'],
    [{ type: undefined }, 'type is missing'],
    [{ type: 'midjourney' }, 'type must be one of replicate, fal, openai, comfyui'],
    [{ id: 'local' }, 'providers[0] (local): id must not be local, the provider of the local models'],
    [{ key: undefined }, 'key is missing, and so is base_url'],
    [{ key: SECRET }, 'key must be the name of an environment variable that holds the key, not the key itself'],
    [{ key: 'AKIA4F9A2C7D1E8B' }, 'key must be the name of a variable that is set'],
    [{ key: 'EMPTY' }, 'key must be the name of a variable that is set'],
    [{ base_url: 'ftp://vendor.example' }, 'base_url must be an http or https URL without a password'],
    [{ base_url: `https://me:${SECRET}@vendor.example` }, 'base_url must be an http or https URL without a password'],
    [{ base_urls: ['https://one.example', 'https://two.example'] }, 'base_urls is for the type comfyui'],
    [
      { type: 'comfyui', base_url: 'https://one.example', base_urls: ['https://one.example'] },
      'base_urls must be absent when there is a base_url',
    ],
    [
      { type: 'comfyui', base_urls: ['https://one.example', 'ftp://two.example'] },
      'base_urls.1 must be an http or https URL without a password',
    ],
    [{ max_concurrent: 0 }, 'max_concurrent must be from 1 to 1000'],
    [{ submissions_per_minute: 0 }, 'submissions_per_minute must be from 1 to 100000'],
    [{ token: SECRET }, 'token is not a known field'],
  ])('%j: %s', (entry, line) => {
    const text = JSON.stringify({ providers: [{ ...provider, ...entry }] });
    expect(problemsOf(text)).toEqual([at('providers[0] (vendor)', line)]);
  });

  it.each<[text: string, line: string | RegExp]>([
    ['', 'the catalogue must be an object'],
    ['- 1', 'the catalogue must be an object'],
    ['models: {}', 'models must be a list'],
    ['models: [interior]', 'models[0]: must be an object'],
    ['modles: []', 'modles is not a known field'],
    [`models:\n  - id: [a\n    key: ${SECRET}`, /^Flow sequence .+ at line 3, column 5$/],
    ['{"models": [', /^Flow sequence .+ at line 1, column 13$/],
    ['models: []\nmodels: []', 'Map keys must be unique at line 2, column 1'],
    ['models: !secret []', /^Unresolved tag: !secret at line 1, column 9$/],
    ['models: *shared', /^Unresolved alias/],
    ['models: []\n---\nmodels: []', /^Source contains multiple documents/],
  ])('%j: %s', (text, line) => {
    const [first] = problemsOf(text);
    expect(first).toMatch(/^models\.yaml: /);
    expect(first!.slice('models.yaml: '.length)).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  it('an alias that expands too far', () => {
    const level = (n: number) => `x-${n}: &a${n} [${Array.from({ length: 10 }, () => `*a${n - 1}`).join(', ')}]`;
    const bomb = ['x-0: &a0 [1]', ...[1, 2, 3, 4, 5, 6, 7].map(level)].join('\n');
    expect(problemsOf(bomb)[0]).toMatch(/^models\.yaml: Excessive alias count/);
  });

  it('a missing file', () => {
    const missing = () => readCatalog({ file: join(import.meta.dirname, 'gone.yaml'), env, types, local });
    expect(missing).toThrow(new CatalogError("gone.yaml: can't be read (ENOENT)"));
  });

  it('names that two entries have, and successors of another kind, whichever comes first', () => {
    const film = { ...model, id: 'film', kind: 'video', aliases: ['movie'] };
    const models = [{ ...model, successor: 'film', aliases: ['room'] }, film, { ...model, id: 'room' }];
    expect(problemsOf(JSON.stringify({ providers: [provider], models }))).toEqual([
      'models.yaml: models[0] (interior): successor must be of the kind image: film is of the kind video',
      'models.yaml: models[2] (room): id is also an alias of interior',
    ]);
  });

  it('several problems, in one error', () => {
    const providers = [provider, { ...provider, key: 'NOT_SET' }];
    const models = [model, { ...model, cost: {}, kind: 'sound' }, { ...model, id: 'other', ...mapped('image') }];
    expect(problemsOf(JSON.stringify({ providers, models }))).toEqual([
      'models.yaml: providers[1] (vendor): key must be the name of a variable that is set',
      'models.yaml: providers[1] (vendor): id is also the id of providers[0]',
      'models.yaml: models[1] (interior): kind must be one of image, video, vector, model3d, mask, style',
      'models.yaml: models[1] (interior): cost.credits is missing',
      'models.yaml: models[1] (interior): id is also the id of models[0]',
      `models.yaml: models[2] (other): ${unknownIn('image')}`,
    ]);
  });
});
