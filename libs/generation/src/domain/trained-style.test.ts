import { describe, expect, it } from '@jest/globals';
import { aModel, aTrainer, aVideoModel, modelInputs } from '#testing/catalogue';
import { refusal } from '#testing/kernel';
import {
  checkedStyleName,
  isOutdated,
  markOf,
  mayUseStyle,
  newTrigger,
  picturesToTrain,
  previewModel,
  resolveStyle,
  styleFileType,
  styleFileTypesOf,
  type ReadyStyle,
  type StyleRequest,
} from './trained-style.ts';

const picture = (trainingId: number) => ({
  trainingId,
  source: { key: `files/${trainingId}/a.png`, fileId: trainingId },
});
const pictures = (count: number) => Array.from({ length: count }, (_, index) => picture(index + 1));
const trainer = aTrainer();

it('a style is outdated while the pictures in slots 1 to 6 are others than those it is trained on', () => {
  const slots = [
    { slot: 1, trainingId: 7, pictureVersion: 1 },
    { slot: 3, trainingId: 9, pictureVersion: 2 },
  ];
  const mark = markOf(slots);
  expect([mark, markOf([])]).toEqual(['1:7.1,3:9.2', '']);
  expect(isOutdated(mark, slots.toReversed())).toBe(false);
  const [first, second] = slots as [(typeof slots)[0], (typeof slots)[0]];
  const others = [[], [first], [first, { ...second, pictureVersion: 3 }], [first, { ...second, trainingId: 10 }]];
  for (const changed of [...others, [first, { ...second, slot: 4 }]]) expect(isOutdated(mark, changed)).toBe(true);
});

describe('the pictures of a training', () => {
  it('are those in the slots, as many as the model takes', () => {
    expect(picturesToTrain(trainer, pictures(3), null)).toEqual(pictures(3));
    expect(picturesToTrain(trainer, pictures(7), null)).toEqual(pictures(6));
  });

  it('are those that the call names, in their order', () => {
    const chosen = [picture(9), picture(2), picture(5)];
    expect(picturesToTrain(trainer, pictures(6), chosen)).toEqual(chosen);
  });

  it('are refused when they are too few, with the number that the model needs', () => {
    expect(refusal(() => picturesToTrain(trainer, pictures(2), null))).toMatchObject({
      code: 'slot_empty',
      message: 'test-style needs at least 3 pictures: slots 1 to 6 have 2',
    });
    expect(refusal(() => picturesToTrain(trainer, pictures(6), pictures(2)))).toMatchObject({
      code: 'slot_empty',
      message: 'test-style needs at least 3 pictures: the call names 2',
    });
  });

  it('are refused when the call names more than the model takes', () => {
    expect(picturesToTrain(trainer, [], pictures(6))).toHaveLength(6);
    expect(refusal(() => picturesToTrain(trainer, [], pictures(7))).fields).toEqual({
      pictures: ['must be at most 6 for the model test-style'],
    });
  });
});

describe('the trained style of a call', () => {
  const style = (id: number, family: string | null, isActive = false): ReadyStyle => ({
    id,
    name: `style ${id}`,
    trigger: 'x12abcdefgh',
    weights: { key: `weights/${id}/style.json`, fileId: id },
    family,
    isActive,
  });
  const [active, other, foreign] = [style(1, 'test', true), style(2, 'test'), style(3, 'else')];
  const ready = [active!, other!, foreign!];
  const styled = aModel({ family: 'test', inputs: modelInputs({ styleWeights: 'optional' }) });
  const stylist = aModel({ family: 'test', inputs: modelInputs({ styleWeights: 'required' }) });
  const plain = aModel({ family: 'test' });
  const call = (changes: Partial<StyleRequest> = {}): StyleRequest => ({
    hasPersona: true,
    styleTransfer: null,
    styleId: null,
    ...changes,
  });
  const resolved = (model: typeof styled, request: StyleRequest, of = ready) =>
    resolveStyle(model, request, of)?.id ?? null;

  it.each<[string, typeof styled, Partial<StyleRequest>, number | null]>([
    ['the active one of the persona', styled, {}, 1],
    ['the one that the call names', styled, { styleId: 2 }, 2],
    ['the active one beside a style reference', styled, { styleTransfer: 'https://else.test/s.jpg' }, 1],
    ['none, if the call says so', styled, { styleId: 'none' }, null],
    ['none without any style', styled, { styleTransfer: 'none' }, null],
    ['the named one, whatever the style reference is', styled, { styleId: 2, styleTransfer: 'none' }, 2],
    ['none for a model that takes none', plain, {}, null],
    ['none for a model that takes none, also by name', plain, { styleId: 'none' }, null],
    ['none without a persona', styled, { hasPersona: false }, null],
  ])('is %s', (_, model, changes, id) => {
    expect(resolved(model, call(changes), changes.hasPersona === false ? [] : ready)).toBe(id);
  });

  it('is not the active one when that is of another family', () => {
    expect(resolved(styled, call(), [style(1, 'else', true), other!])).toBeNull();
    expect(resolved(styled, call(), [style(1, null, true)])).toBeNull();
  });

  it.each<[code: string, problem: string | null, typeof styled, Partial<StyleRequest>]>([
    ['validation_failed', 'must be a style of the family test: this one is of else', styled, { styleId: 3 }],
    ['not_found', null, styled, { styleId: 9 }],
    ['validation_failed', 'must be absent or none for the model test-image', plain, { styleId: 1 }],
    ['validation_failed', 'needs pid', styled, { styleId: 1, hasPersona: false }],
  ])('is refused with %s: %s', (code, problem, model, changes) => {
    const refused = refusal(() => resolveStyle(model, call(changes), ready));
    expect([refused.code, refused.fields ?? null]).toEqual([code, problem && { style_id: [problem] }]);
  });

  it('is required by a model that says so: 409 with a persona, 400 without', () => {
    expect(resolved(stylist, call())).toBe(1);
    expect(refusal(() => resolveStyle(stylist, call(), [])).code).toBe('slot_empty');
    expect(refusal(() => resolveStyle(stylist, call({ styleId: 'none' }), ready)).code).toBe('slot_empty');
    expect(refusal(() => resolveStyle(stylist, call({ hasPersona: false }), [])).fields).toEqual({
      style_id: ['is required by the model test-image, and so is pid'],
    });
  });

  it('is looked for only where it can be used', () => {
    expect(mayUseStyle(plain, call())).toBe(false);
    expect(mayUseStyle(plain, call({ styleId: 1 }))).toBe(true);
    expect(mayUseStyle(styled, call())).toBe(true);
  });
});

it('calls a style by a word that no prompt has by chance', () => {
  let next = 0;
  expect(newTrigger((below) => next++ % below)).toBe('x12abcdefgh');
});

it('takes names of 1 to 100 characters on one line', () => {
  expect(checkedStyleName('  Warm oils ')).toBe('Warm oils');
  expect(checkedStyleName('😀'.repeat(100))).toHaveLength(200);
  for (const name of ['  ', 'a'.repeat(101), 'two\nlines']) {
    expect(refusal(() => checkedStyleName(name)).fields).toEqual({
      name: ['must have 1 to 100 characters, on one line'],
    });
  }
});

describe('a style file', () => {
  const safetensors = (length: bigint, rest = '{"a":1}') => {
    const head = Buffer.alloc(8);
    head.writeBigUInt64LE(length);
    return Buffer.concat([head, Buffer.from(rest.padEnd(600, ' '))]);
  };
  const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0'), Buffer.alloc(300)]);

  it('is recognised by its first bytes', () => {
    expect(styleFileType(safetensors(7n), 5000)).toBe('application/x-safetensors');
    expect(styleFileType(tar, 5000)).toBe('application/x-tar');
    expect(styleFileType(Buffer.from('{"reference":1}'), 15)).toBe('application/json');
  });

  it.each([
    ['a page of HTML', Buffer.from('<!doctype html><html></html>'), 28],
    ['nothing', Buffer.alloc(0), 0],
    ['weights that end within their header', safetensors(5000n), 608],
    ['a header that is too long', safetensors(100_000_001n), 2_000_000_000],
    ['a header that is no JSON', safetensors(7n, '<html>'), 5000],
  ])('is not %s', (_, head, size) => {
    expect(styleFileType(head, size)).toBeNull();
  });

  it('holds weights where the model returns weights, and JSON otherwise', () => {
    expect(styleFileTypesOf({ result: { weights: 'lora.url' } })).toEqual([
      'application/x-safetensors',
      'application/x-tar',
    ]);
    expect(styleFileTypesOf({ result: { reference: 'style_id' } })).toEqual(['application/json']);
    expect(styleFileTypesOf({ result: null })).toEqual(['application/json']);
  });
});

describe('the model of a preview', () => {
  const styled = (id: string, credits: number, changes: Partial<Parameters<typeof modelInputs>[0]> = {}) =>
    aModel({
      id,
      family: 'flux',
      inputs: modelInputs({ styleWeights: 'optional', ...changes }),
      cost: { credits, parameter: null, per: 'output' },
    });

  it('is the cheapest picture model of the family that needs nothing but a prompt', () => {
    const models = [
      styled('dear', 8),
      styled('fitting', 4),
      styled('needs-image', 1, { image: 'required' }),
      aModel({ id: 'without-style', family: 'flux' }),
      aVideoModel({ id: 'video', family: 'flux' }),
      { ...styled('of-another-family', 1), family: 'sdxl' },
    ];
    expect(previewModel(models, 'flux')?.id).toBe('fitting');
  });

  it('is none when the family has no such model', () => {
    expect(previewModel([aModel({})], 'flux')).toBeNull();
  });
});
