import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFieldPath, maskFormsOf, placeholdersOf, vendorFields, type MappedValues, type Mapping } from './mapping.ts';

class Upload {
  constructor(readonly name: string) {}
}

const image = new Upload('image.png');
const values: MappedValues = {
  prompt: 'a fox',
  image,
  style: null,
  references: ['https://files.test/2', 'https://files.test/3'],
  mask: null,
  control: null,
  width: 512,
  precise: 0,
  hd: true,
  tags: ['red', 'blue'],
  size: { w: 1, h: 2 },
  none: [],
};

describe('a mapping', () => {
  it.each<[string, Mapping, object]>([
    [
      'keeps what is no template',
      { a: 1, b: null, c: 'text', d: [], e: { f: true } },
      { a: 1, b: null, c: 'text', d: [], e: { f: true } },
    ],
    [
      'gives a value with its type',
      { p: '{prompt}', w: '{width}', h: '{hd}', i: '{image}', s: '{size}' },
      { p: 'a fox', w: 512, h: true, i: image, s: { w: 1, h: 2 } },
    ],
    ['gives zero, which is not absent', { p: '{precise}' }, { p: 0 }],
    ['leaves a field out whose value is absent', { s: '{style}', u: '{unknown}', n: '{none}', t: '{toString}' }, {}],
    [
      'sets fields by their paths',
      { 'input.prompt': '{prompt}', 'input.size.w': '{width}' },
      { input: { prompt: 'a fox', size: { w: 512 } } },
    ],
    [
      'fills lists by their indexes',
      { 'images.1': '{prompt}', 'images.0.url': '{image}' },
      { images: [{ url: image }, 'a fox'] },
    ],
    [
      'closes the gaps of lists',
      { 'images.0': '{style}', 'images.2': 'last', 'images.1.url': '{image}', 'images.1.kind': 'x' },
      { images: [{ url: image, kind: 'x' }, 'last'] },
    ],
    [
      'replaces names within texts',
      { p: '{prompt}, {width} px{style}', t: 'of {tags}', s: '{size}!' },
      { p: 'a fox, 512 px', t: 'of ["red","blue"]', s: '{"w":1,"h":2}!' },
    ],
    ['leaves braces without a name', { p: '{} { prompt } {1} {"a": 1}' }, { p: '{} { prompt } {1} {"a": 1}' }],
    [
      'inserts lists into lists',
      { l: ['{image}', '{style}', '{references}', 'end'] },
      { l: [image, 'https://files.test/2', 'https://files.test/3', 'end'] },
    ],
    ['keeps a list within a list', { l: [['{width}']] }, { l: [[512]] }],
    ['leaves out a list of which nothing is left', { l: ['{style}', '{none}'], m: [['{style}']] }, {}],
    [
      'leaves out of a list an object whose inputs are all absent',
      { l: [{ path: '{style_weights}', scale: '{width}' }, { url: '{image}', style: '{style}' }, { w: '{none}' }] },
      { l: [{ url: image }, {}] },
    ],
    [
      'fills objects at any depth',
      { a: [{ url: '{image}', s: '{style}', t: { p: '{prompt}!' } }] },
      { a: [{ url: image, t: { p: 'a fox!' } }] },
    ],
    [
      'replaces chosen values',
      {
        a: { from: 'width', values: { 512: 'small', 1024: 'large' } },
        b: [{ from: 'hd', values: { true: '{prompt}' } }],
      },
      { a: 'small', b: ['a fox'] },
    ],
    [
      'leaves out what was not chosen',
      {
        a: { from: 'width', values: { 1: 'x' } },
        b: { from: 'style', values: { '': 'x' } },
        c: { from: 'prompt', values: { toString: 'x' } },
      },
      {},
    ],
    [
      'takes a choice with other fields for an object',
      { a: { from: 'width', values: {}, more: 1 } },
      { a: { from: 'width', values: {}, more: 1 } },
    ],
  ])('%s', (_, mapping, fields) => {
    expect(vendorFields(mapping, values)).toStrictEqual(fields);
  });

  it('sets the inputs of a workflow, which does not change', () => {
    const workflow = { 6: { inputs: { text: 'default', clip: ['4', 1] } }, 9: { inputs: { image: 'default' } } };
    const before = structuredClone(workflow);
    const mapping = { '6.inputs.text': '{prompt}', '6.inputs.clip.1': '{precise}', '9.inputs.image': '{style}' };
    const fields = vendorFields(mapping, values, workflow);
    expect(fields).toEqual({ 6: { inputs: { text: 'a fox', clip: ['4', 0] } }, 9: { inputs: { image: 'default' } } });
    (fields['9'] as (typeof workflow)[9]).inputs.image = 'changed';
    expect(workflow).toEqual(before);
  });

  it('inserts any object as it is', () => {
    expect((vendorFields({ i: '{image}' }, { image }) as { i: unknown }).i).toBe(image);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', '__proto__', 'a.__proto__.b', 'constructor.prototype.x', 'prototype'])(
    'is refused with the path "%s"',
    (path) => {
      expect(isFieldPath(path)).toBe(false);
      expect(() => vendorFields({ [path]: 1 }, {})).toThrow('is invalid');
    },
  );

  it.each(['a', 'a.b', 'images.0', '6.inputs.text', 'a-b.c d', 'toString'])('may set the path "%s"', (path) => {
    expect(isFieldPath(path)).toBe(true);
    expect(Object.keys(vendorFields({ [path]: 1 }, {}))).toHaveLength(1);
  });

  it.each<[Mapping, string]>([
    [{ a: 1, 'a.b': 2 }, 'leads through a value'],
    [{ a: '{image}', 'a.b': 2 }, 'leads through a value'],
    [{ 'a.0': 1, 'a.b': 2 }, 'needs a number in place of b'],
    [{ 'a.0': 1, 'a.100': 2 }, 'needs a number in place of 100'],
  ])('%j is refused', (mapping, problem) => {
    expect(() => vendorFields(mapping, values)).toThrow(problem);
  });

  it('names each variable once, at any depth', () => {
    const mapping: Mapping = {
      'input.prompt': '{prompt}, {style_name} {prompt}',
      a: ['{image}', { b: '{mask}' }, 1, null],
      c: { from: 'size', values: { small: '{width}', large: 2 } },
      d: { from: 'no choice', values: 1 },
    };
    expect(placeholdersOf(mapping)).toEqual(['prompt', 'style_name', 'image', 'mask', 'size', 'width']);
  });
});

describe('values of callers', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('{secret}', '{prompt}{secret}', '$&', '$1', '__proto__'));
  const json = fc.oneof(text, fc.array(text), fc.jsonValue());

  it('are never read as templates', () => {
    fc.assert(
      fc.property(text, json, (prompt, parameter) => {
        const given = { prompt, parameter, secret: 'SECRET' };
        const mapping = { whole: '{prompt}', part: '<{prompt}>', list: ['{parameter}', 'end'], value: '{parameter}' };
        const fields = vendorFields(mapping, given);
        expect(fields['whole']).toBe(prompt);
        expect(fields['part']).toBe(`<${prompt}>`);
        expect(JSON.stringify(fields)).not.toContain('SECRET');
      }),
    );
  });

  it('change no object but the result', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.stringMatching(/^([a-z0-9_]{1,3}\.){0,3}[a-z0-9_]{1,3}$/), (parameter, path) => {
        const given = { parameter };
        const before = JSON.stringify(given);
        try {
          vendorFields({ a: '{parameter}', [path]: '{parameter}', [`a.${path}`]: 1 }, given);
        } catch (error) {
          expect((error as Error).message).toMatch(/^the path .* of the mapping /);
        }
        expect(JSON.stringify(given)).toBe(before);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });

  it('may be nested deeply', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 30_000; depth++) nested = [nested];
    expect(vendorFields({ 'a.b': '{nested}' }, { nested })).toHaveProperty('a.b', nested);
  });
});

it('the mask of a mapping has the form that its name says, and is one input', () => {
  const fields = vendorFields(
    { a: '{inverted_mask}', b: ['{image}', '{transparent_mask}'] },
    { image: 'i', mask: 'm' },
  );
  expect(fields).toEqual({ a: 'm', b: ['i', 'm'] });
  expect(vendorFields({ a: '{inverted_mask}', b: [{ url: '{inverted_mask}' }] }, { mask: null })).toEqual({});
  expect(placeholdersOf({ a: '{inverted_mask}', b: '{mask}' })).toEqual(['mask']);
  expect(maskFormsOf({ a: '{inverted_mask}', b: '{image}' })).toEqual(['black']);
  expect(maskFormsOf({ a: '{transparent_mask}', b: '{mask}' })).toEqual(['white', 'transparent']);
  expect(maskFormsOf({ a: '{image}' })).toEqual([]);
});
