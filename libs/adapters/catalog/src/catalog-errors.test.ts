import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TASKS } from '#generation';
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
  const at = 'models[0] (interior):';
  const mapped = (name: string, path = 'prompt') => ({ mapping: { [path]: `{${name}}` } });

  it.each<[what: string, entry: object, line: string]>([
    ['a missing id', { id: undefined }, 'models[0]: id is missing'],
    ['an id with spaces', { id: 'big room' }, 'models[0]: id must be 1 to 100 letters, digits, dots, _ or -'],
    ['a missing provider', { provider: undefined }, `${at} provider is missing`],
    ['a missing target', { target: undefined }, `${at} target is missing`],
    ['a missing kind', { kind: undefined }, `${at} kind is missing`],
    ['a missing mapping', { mapping: undefined }, `${at} mapping is missing`],
    ['a missing cost', { cost: undefined }, `${at} cost is missing`],
    ['an unknown kind', { kind: 'sound' }, `${at} kind must be one of image, video, vector, model3d, mask, style`],
    [
      'a trainer without pictures',
      { ...trainer, inputs: { style: 'optional' }, mapping: { style: '{style}' } },
      `${at} inputs.pictures must be required for the kind style`,
    ],
    ['a trainer without a result', { ...trainer, result: undefined }, `${at} result is required for the kind style`],
    [
      'a trainer without a family',
      { ...trainer, family: undefined },
      `${at} family is required: only styles of the same family fit the model`,
    ],
    [
      'a trainer of more pictures at least than at most',
      { ...trainer, inputs: { pictures: 'required', min_pictures: 9, max_pictures: 8 } },
      `${at} inputs.max_pictures must not be below min_pictures`,
    ],
    ['a result of another kind', { result: trainer.result }, `${at} result is for the kind style`],
    [
      'a style that is not used',
      { family: 'oils', inputs: { style_weights: 'optional' }, mapping: { prompt: '{prompt}' } },
      `${at} mapping does not use {style_weights}, which the model takes as an input`,
    ],
    [
      'the word of a style without one',
      { mapping: { prompt: '{style_trigger} {prompt}' } },
      `${at} mapping names {style_trigger}, which is neither prompt, nor an input that it takes, nor a parameter`,
    ],
    ['an unknown field', { colour: 'red' }, `${at} colour is not a known field`],
    ['an id of another type', { id: 7 }, 'models[0]: id must be a text'],
    ['an empty target', { target: '' }, `${at} target must not be empty`],
    ['a time limit of 0', { time_limit: 0 }, `${at} time_limit must be from 1 to 86400`],
    ['a time limit of more than a day', { time_limit: 86_401 }, `${at} time_limit must be from 1 to 86400`],
    ['a fractional time limit', { time_limit: 1.5 }, `${at} time_limit must be a whole number`],
    [
      'an unknown provider',
      { provider: 'nobody' },
      `${at} provider must be one of local, vendor, studio: add it to providers, or set the variable with its key`,
    ],
    ['an unknown need', { inputs: { image: 'yes' } }, `${at} inputs.image must be one of required, optional, none`],
    ['an unknown input', { inputs: { depth: 'none' } }, `${at} inputs.depth is not a known field`],
    [
      'seven references',
      { inputs: { references: 'optional', max_references: 7 } },
      `${at} inputs.max_references must be from 1 to 6`,
    ],
    [
      'max_references without references',
      { inputs: { max_references: 2 } },
      `${at} inputs.max_references needs references to be optional or required`,
    ],
    ['a negative cost', { cost: -1 }, `${at} cost must be from 0 to 1000000`],
    ['a cost as text', { cost: '4' }, `${at} cost must be a number or an object`],
    ['a cost without credits', { cost: { per: 'output' } }, `${at} cost.credits is missing`],
    ['a cost per hour', { cost: { credits: 1, per: 'hour' } }, `${at} cost.per must be one of output, second`],
    [
      'a cost per second without duration',
      { cost: { credits: 1, per: 'second' } },
      `${at} cost.per needs a parameter duration that is a number and has a default`,
    ],
    [
      'a cost per second of a duration without default',
      { cost: { credits: 1, per: 'second' }, parameters: { duration: { type: 'number' } } },
      `${at} cost.per needs a parameter duration that is a number and has a default`,
    ],
    [
      'a cost per second of a duration without a minimum',
      { cost: { credits: 1, per: 'second' }, parameters: { duration: { type: 'number', default: 5 } } },
      `${at} parameters.duration.minimum must be above 0: the cost is counted by it`,
    ],
    [
      'a cost per second of a duration from 0',
      { cost: { credits: 1, per: 'second' }, parameters: { duration: { type: 'number', default: 5, minimum: 0 } } },
      `${at} parameters.duration.minimum must be above 0: the cost is counted by it`,
    ],
    [
      'a cost per output of a count without a minimum',
      { parameters: { count: { type: 'integer', default: 1, maximum: 4 } } },
      `${at} parameters.count.minimum must be above 0: the cost is counted by it`,
    ],
    [
      'a cost per output of a count of 0',
      { parameters: { count: { type: 'integer', default: 1, enum: [0, 1] } } },
      `${at} parameters.count.minimum must be above 0: the cost is counted by it`,
    ],
    [
      'a cost per output of a count as text',
      { parameters: { count: { type: 'string', default: '1', enum: ['1', '4'] } } },
      `${at} parameters.count.type must be integer or number: the cost is counted by it`,
    ],
    [
      'a cost by a parameter that is not declared',
      { cost: { credits: { 2: 1 }, parameter: 'hd' } },
      `${at} cost.parameter must name a parameter with choices (enum), or a boolean one`,
    ],
    [
      'a cost by no parameter',
      { cost: { credits: { 2: 1 } } },
      `${at} cost.parameter must name a parameter with choices (enum), or a boolean one`,
    ],
    [
      'a cost by a parameter without default',
      { cost: { credits: { 2: 1, 4: 2 }, parameter: 'hd' }, parameters: { hd: { ...hd, default: undefined } } },
      `${at} cost.parameter must name a parameter with a default`,
    ],
    [
      'a choice without an amount',
      { cost: { credits: { 2: 1 }, parameter: 'hd' }, parameters: { hd } },
      `${at} cost.credits has no amount for 4`,
    ],
    [
      'an amount without a choice',
      { cost: { credits: { 2: 1, 4: 2, 8: 4 }, parameter: 'hd' }, parameters: { hd } },
      `${at} cost.credits.8 is no choice of hd`,
    ],
    [
      'an amount as text',
      { cost: { credits: { 2: 'one', 4: 2 }, parameter: 'hd' }, parameters: { hd } },
      `${at} cost.credits.2 must be a number`,
    ],
    [
      'one amount for a parameter',
      { cost: { credits: 1, parameter: 'hd' }, parameters: { hd } },
      `${at} cost.parameter needs an amount for each value of the parameter in credits`,
    ],
    ['a parameter without type', { parameters: { hd: {} } }, `${at} parameters.hd.type is missing`],
    ['a task that is unknown', { tasks: ['paint'] }, `${at} tasks.0 must be one of ${TASKS.join(', ')}`],
    ['a family with spaces', { family: 'a b' }, `${at} family must be 1 to 100 letters, digits, dots, _ or -`],
    [
      'a parameter of an unknown type',
      { parameters: { hd: { type: 'int' } } },
      `${at} parameters.hd.type must be one of integer, number, string, boolean, object, array`,
    ],
    [
      'a limit that is no number',
      { parameters: { hd: { type: 'integer', minimum: 'one' } } },
      `${at} parameters.hd.minimum must be a number`,
    ],
    [
      'a parameter whose name is no word',
      { parameters: { 'a b': { type: 'integer' } } },
      `${at} parameters.a b must have a name of letters, digits and _`,
    ],
    [
      'a parameter that every request has',
      { parameters: { pid: { type: 'integer' } } },
      `${at} parameters.pid has the name of a field of every request`,
    ],
    [
      'a parameter that is an input',
      { parameters: { mask: { type: 'string' } } },
      `${at} parameters.mask has the name of a field of every request`,
    ],
    [
      'a default that is none of the choices',
      { parameters: { hd: { ...hd, default: 3 } } },
      `${at} parameters.hd.default must be one of 2, 4`,
    ],
    [
      'a placeholder that nothing declares',
      mapped('colour'),
      `${at} mapping names {colour}, which is neither prompt, nor an input that it takes, nor a parameter`,
    ],
    [
      'a placeholder of an input that it does not take',
      mapped('image'),
      `${at} mapping names {image}, which is neither prompt, nor an input that it takes, nor a parameter`,
    ],
    [
      'an input that goes nowhere',
      { inputs: { mask: 'optional' } },
      `${at} mapping does not use {mask}, which the model takes as an input`,
    ],
    [
      'a mask in two forms',
      { inputs: { mask: 'optional' }, mapping: { prompt: '{prompt}', a: '{mask}', b: '{inverted_mask}' } },
      `${at} mapping must use the mask in one form`,
    ],
    ['a path without a name', mapped('prompt', 'input.'), `${at} mapping.input. is not the path of a field`],
    [
      'a path into the prototype',
      mapped('prompt', 'a.constructor'),
      `${at} mapping.a.constructor is not the path of a field`,
    ],
    [
      'a path through a value',
      { mapping: { input: '{prompt}', 'input.text': 'x' } },
      `${at} mapping can not be used: the path input.text of the mapping leads through a value`,
    ],
    [
      'a workflow that is away',
      { provider: 'studio', target: 'gone.json' },
      `${at} target must be a workflow file beside the catalogue (gone.json: can't be read (ENOENT))`,
    ],
    [
      'a workflow that is no JSON',
      { provider: 'studio', target: 'broken.json' },
      `${at} target must be a workflow file beside the catalogue (broken.json: is not JSON)`,
    ],
    [
      'a workflow as the editor saves it',
      { provider: 'studio', target: 'editor.json' },
      `${at} target must be a workflow in API format: an object of nodes with class_type and inputs`,
    ],
    [
      'a workflow elsewhere',
      { provider: 'studio', target: '../../etc/passwd' },
      `${at} target must be a file beside the catalogue`,
    ],
    [
      'a workflow anywhere',
      { provider: 'studio', target: '/etc/passwd' },
      `${at} target must be a file beside the catalogue`,
    ],
    [
      'a node that the workflow has not',
      { provider: 'studio', target: 'flows/text.json', ...mapped('prompt', '7.inputs.text') },
      `${at} mapping.7.inputs.text needs a node 7 in the workflow`,
    ],
    [
      'an unknown local model',
      { provider: 'local', target: 'local-sound', kind: undefined, mapping: undefined },
      `${at} target must be one of local-image`,
    ],
    [
      'a local model of another kind',
      { provider: 'local', target: 'local-image', kind: 'video', mapping: undefined },
      `${at} kind must be image, the kind of local-image`,
    ],
    [
      'a local model with a mapping',
      { provider: 'local', target: 'local-image' },
      `${at} mapping must be left out: a local model has its own`,
    ],
  ])('%s', (_what, entry, line) => {
    expect(problemsOf(ofModel(entry))).toEqual([`models.yaml: ${line}`]);
  });

  it.each<[what: string, entry: object, line: string]>([
    ['a provider without id', { id: undefined }, 'providers[0]: id is missing'],
    ['a provider without type', { type: undefined }, 'providers[0] (vendor): type is missing'],
    [
      'an unknown type',
      { type: 'midjourney' },
      'providers[0] (vendor): type must be one of replicate, fal, openai, comfyui',
    ],
    [
      'the id of the local provider',
      { id: 'local' },
      'providers[0] (local): id must not be local, the provider of the local models',
    ],
    ['neither key nor URL', { key: undefined }, 'providers[0] (vendor): key is missing, and so is base_url'],
    [
      'a key in the file',
      { key: SECRET },
      'providers[0] (vendor): key must be the name of an environment variable that holds the key, not the key itself',
    ],
    [
      'a key that looks like a variable',
      { key: 'AKIA4F9A2C7D1E8B' },
      'providers[0] (vendor): key must be the name of a variable that is set',
    ],
    ['an empty variable', { key: 'EMPTY' }, 'providers[0] (vendor): key must be the name of a variable that is set'],
    [
      'a URL of another scheme',
      { base_url: 'ftp://vendor.example' },
      'providers[0] (vendor): base_url must be an http or https URL without a password',
    ],
    [
      'a password in the URL',
      { base_url: `https://me:${SECRET}@vendor.example` },
      'providers[0] (vendor): base_url must be an http or https URL without a password',
    ],
    [
      'several servers of another type than ComfyUI',
      { base_urls: ['https://one.example', 'https://two.example'] },
      'providers[0] (vendor): base_urls is for the type comfyui',
    ],
    [
      'one URL beside several',
      { type: 'comfyui', base_url: 'https://one.example', base_urls: ['https://one.example'] },
      'providers[0] (vendor): base_urls must be absent when there is a base_url',
    ],
    [
      'a URL of another scheme among several',
      { type: 'comfyui', base_urls: ['https://one.example', 'ftp://two.example'] },
      'providers[0] (vendor): base_urls.1 must be an http or https URL without a password',
    ],
    ['max_concurrent of 0', { max_concurrent: 0 }, 'providers[0] (vendor): max_concurrent must be from 1 to 1000'],
    [
      'submissions_per_minute of 0',
      { submissions_per_minute: 0 },
      'providers[0] (vendor): submissions_per_minute must be from 1 to 100000',
    ],
    ['an unknown field', { token: SECRET }, 'providers[0] (vendor): token is not a known field'],
  ])('%s', (_what, entry, line) => {
    const text = JSON.stringify({ providers: [{ ...provider, ...entry }] });
    expect(problemsOf(text)).toEqual([`models.yaml: ${line}`]);
  });

  it.each<[what: string, text: string, line: string | RegExp]>([
    ['no catalogue', '', 'the catalogue must be an object'],
    ['a list', '- 1', 'the catalogue must be an object'],
    ['models that are not a list', 'models: {}', 'models must be a list'],
    ['a model that is a string', 'models: [interior]', 'models[0]: must be an object'],
    ['an unknown list', 'modles: []', 'modles is not a known field'],
    ['broken YAML', `models:\n  - id: [a\n    key: ${SECRET}`, /^Flow sequence .+ at line 3, column 5$/],
    ['broken JSON', '{"models": [', /^Flow sequence .+ at line 1, column 13$/],
    ['a field given twice', 'models: []\nmodels: []', 'Map keys must be unique at line 2, column 1'],
    ['a tag', 'models: !secret []', /^Unresolved tag: !secret at line 1, column 9$/],
    ['an unknown anchor', 'models: *shared', /^Unresolved alias/],
    ['two documents', 'models: []\n---\nmodels: []', /^Source contains multiple documents/],
  ])('%s', (_what, text, line) => {
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

  it('several problems, in one error', () => {
    const providers = [provider, { ...provider, key: 'NOT_SET' }];
    const models = [model, { ...model, cost: {}, kind: 'sound' }, { ...model, id: 'other', ...mapped('image') }];
    expect(problemsOf(JSON.stringify({ providers, models }))).toEqual([
      'models.yaml: providers[1] (vendor): key must be the name of a variable that is set',
      'models.yaml: providers[1] (vendor): id is also the id of providers[0]',
      'models.yaml: models[1] (interior): kind must be one of image, video, vector, model3d, mask, style',
      'models.yaml: models[1] (interior): cost.credits is missing',
      'models.yaml: models[1] (interior): id is also the id of models[0]',
      'models.yaml: models[2] (other): mapping names {image}, which is neither prompt, nor an input that it takes, ' +
        'nor a parameter',
    ]);
  });
});
