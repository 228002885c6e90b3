import { describe, expect, it } from '@jest/globals';
import { aModel, aVideoModel } from '../testing/builders.ts';
import { ModelCatalog, type Model } from './model.ts';
import { livingModels, resolveModel, takeCall } from './resolve-model.ts';

const END = new Date('2026-10-23T00:00:00Z');
const BEFORE = new Date(END.getTime() - 1);

const old = (overrides: Partial<Model> = {}) =>
  aModel({ id: 'old', retiresAt: END, successor: 'new', aliases: ['gpt-image-1'], ...overrides });
const successor = (overrides: Partial<Model> = {}) => aModel({ id: 'new', ...overrides });
const gone = (...ids: string[]) => new Map(ids.map((id) => [id, BEFORE]));
const catalogue = (models: readonly Model[], ...lost: string[]) => new ModelCatalog(models, () => true, gone(...lost));
const resolved = (name: string, models: readonly Model[], now: Date, ...lost: string[]) => {
  const found = resolveModel(name, catalogue(models, ...lost), now);
  return [found.state, found.entry?.id ?? null, found.successor?.id ?? null];
};

describe('a name', () => {
  const models = [old(), successor({ aliases: ['newest'] })];
  it('names the model with that id or that alias', () => {
    expect(resolved('new', models, BEFORE)).toEqual(['ok', 'new', null]);
    expect(resolved('newest', models, BEFORE)).toEqual(['ok', 'new', null]);
  });

  it('names no model that is not there, and the known ones are told', () => {
    expect(resolved('nope', models, BEFORE)).toEqual(['unknown', null, null]);
    const call = { model: 'nope', fields: {} };
    expect(() => takeCall(call, catalogue(models), BEFORE)).toThrow('model must be one of old, new');
    expect(() => takeCall(call, catalogue(models), END)).toThrow('model must be one of new');
  });
});

describe('a model that retires', () => {
  it.each([
    ['takes its calls until that moment', BEFORE, 'ok'],
    ['is replaced from that moment on', END, 'replaced'],
  ])('%s', (_, now, state) => {
    for (const name of ['old', 'gpt-image-1']) {
      expect(resolved(name, [old(), successor()], now)).toEqual([state, 'old', 'new']);
    }
  });

  it('is followed by the first of a chain that runs', () => {
    const between = aModel({ id: 'new', retiresAt: END, successor: 'newest' });
    const models = [old(), between, aModel({ id: 'newest' })];
    expect(resolved('old', models, END)).toEqual(['replaced', 'old', 'newest']);
    expect(resolved('old', models, BEFORE)).toEqual(['ok', 'old', 'newest']);
  });

  it.each<[string, Model[], string[]]>([
    ['none', [old({ successor: null })], []],
    ['one that is not there', [old()], []],
    ['itself', [old({ successor: 'old' })], []],
    ['a circle', [old(), successor({ retiresAt: END, successor: 'old' })], []],
    ['a dead end', [old(), successor({ retiresAt: END })], []],
    ['one that is gone', [old(), successor()], ['new']],
    ['one of another kind', [old(), aVideoModel({ id: 'new' })], []],
  ])('has no successor with %s', (_, models, lost) => {
    expect(resolved('old', models, END, ...lost)).toEqual(['retired', 'old', null]);
  });

  it('is refused without a successor, with what is near: of its kind, with a task of its own', () => {
    const models = [
      old({ successor: null, tasks: ['generate', 'vary'] }),
      aModel({ id: 'near', tasks: ['vary', 'upscale'] }),
      aModel({ id: 'other', tasks: ['upscale'] }),
      aModel({ id: 'ended', tasks: ['vary'], retiresAt: END }),
      aVideoModel({ tasks: ['generate'] }),
    ];
    const call = () => takeCall({ model: 'gpt-image-1', fields: {} }, catalogue(models), END);
    expect(call).toThrow('the model old has ended: use near');
    expect(call).toThrow(expect.objectContaining({ code: 'model_retired', alternatives: ['near'] }));
  });

  it('no longer counts as living', () => {
    const ids = (now: Date) => livingModels(catalogue([old(), successor()]), now).map(({ id }) => id);
    expect(ids(BEFORE)).toEqual(['old', 'new']);
    expect(ids(END)).toEqual(['new']);
  });
});

describe('a model that is gone', () => {
  it('is replaced before its end, if it has a successor', () => {
    expect(resolved('old', [old(), successor()], BEFORE, 'old')).toEqual(['replaced', 'old', 'new']);
    expect(resolved('old', [old(), successor({ successor: 'old' })], BEFORE, 'old', 'new')[0]).toBe('gone');
  });

  it('is refused as misconfigured without one', () => {
    const call = () => takeCall({ model: 'old', fields: {} }, catalogue([old()], 'old'), BEFORE);
    expect(call).toThrow(expect.objectContaining({ code: 'provider_misconfigured' }));
    expect(call).toThrow('the operator of the service has to act');
  });
});

describe('the successor takes a call', () => {
  const count = { type: 'integer', minimum: 1, default: 1 } as const;
  const models = [
    old({ parameters: { count, steps: { type: 'integer', default: 20 }, mood: { type: 'string' } } }),
    successor({ parameters: { count } }),
  ];
  const taken = (fields: object, now = END) => takeCall({ model: 'old', fields }, catalogue(models), now);

  it('with the fields that it has, and those that neither has', () => {
    const fields = { count: 3, prompt: 'a fox', extra: 1 };
    expect(taken(fields)).toEqual({ model: models[1], fields });
    expect(taken({ steps: 30 }, BEFORE)).toEqual({ model: models[0], fields: { steps: 30 } });
  });

  it.each([
    ['its default', 20],
    ['the text of its default', '20'],
    ['nothing', null],
  ])('without a field of the old model that is %s', (_, steps) => {
    expect(taken({ count: 1, steps }).fields).toEqual({ count: 1 });
  });

  it('not with other values of fields that it does not have', () => {
    const call = () => taken({ steps: '21', mood: 'calm' });
    const problem = ['must be left out: new, which replaces old, does not take it'];
    expect(call).toThrow(expect.objectContaining({ fields: { steps: problem, mood: problem } }));
  });
});
