import { describe, expect, it } from '@jest/globals';
import type { ModelDto } from '../../api/index.ts';
import { aModel } from '../../testing/model.ts';
import {
  editModels,
  objectModel,
  outputOf,
  outputText,
  priceByDefault,
  requestOn,
  taskActions,
} from './task-actions.ts';

const model = (fields: Partial<ModelDto>, inputs: Partial<ModelDto['inputs']> = { image: 'required' }) =>
  aModel(inputs, {}, { id: 'm', ...fields });

describe('one click', () => {
  const found = (...models: ModelDto[]) => taskActions(models).map(({ task, model: { id } }) => `${task} by ${id}`);

  it('does each task by the cheapest model that has it', () => {
    const dear = model({ id: 'dear', tasks: ['upscale', 'vary'], cost: 9 });
    const cheap = model({ id: 'cheap', tasks: ['upscale', 'generate'], cost: 2 });
    expect(found(dear, cheap)).toEqual(['vary by dear', 'upscale by cheap']);
  });

  it('uses no model that needs more than the picture, or takes none', () => {
    const tasks: ModelDto['tasks'] = ['vary', 'outpaint', 'inpaint'];
    expect(found(model({ tasks }, { image: 'optional', mask: 'required' }))).toEqual([]);
    expect(found(model({ tasks }, { image: 'none' }))).toEqual([]);
    expect(found(model({ tasks, parameters: { required: ['scale'] } }))).toEqual([]);
    expect(found(model({ tasks }, { image: 'optional', mask: 'optional' }))).toEqual(['vary by m']);
  });
});

describe('editing', () => {
  const tasks: ModelDto['tasks'] = ['inpaint'];
  const ids = (...models: ModelDto[]) => editModels(models, 'inpaint').map(({ model: { id } }) => id);

  it('is done by models with the task that take a picture and a mask, the cheapest first', () => {
    const dear = model({ id: 'dear', tasks, cost: 9 }, { image: 'required', mask: 'required' });
    const cheap = model({ id: 'cheap', tasks, cost: 2 }, { image: 'optional', mask: 'optional' });
    expect(ids(dear, cheap)).toEqual(['cheap', 'dear']);
    expect(ids(model({ tasks: ['outpaint'] }, { image: 'required', mask: 'required' }))).toEqual([]);
    expect(ids(model({ tasks }, { image: 'required', mask: 'none' }))).toEqual([]);
    expect(ids(model({ tasks }, { image: 'none', mask: 'required' }))).toEqual([]);
    expect(ids(model({ tasks }, { image: 'required', mask: 'required', control: 'required' }))).toEqual([]);
  });

  it('finds objects by the cheapest model of masks', () => {
    const masks = (id: string, cost: number) => model({ id, kind: 'mask', cost });
    expect(objectModel([model({}), masks('dear', 3), masks('cheap', 1)])?.model.id).toBe('cheap');
    expect(objectModel([model({})])).toBeNull();
  });

  it('is done by the local models last, whatever they cost', () => {
    const both = { image: 'required', mask: 'required' } as const;
    const local = model({ id: 'local-edit', provider: 'local', tasks, cost: 1 }, both);
    expect(ids(local, model({ id: 'dear', tasks, cost: 9 }, both))).toEqual(['dear', 'local-edit']);
    const masks = (id: string, provider: string) => model({ id, provider, kind: 'mask', cost: id.length });
    expect(objectModel([masks('m', 'local'), masks('dear', 'fal')])?.model.id).toBe('dear');
    expect(objectModel([masks('m', 'local')])?.model.id).toBe('m');
  });

  it('keeps the output with the persona of the picture, without the pictures of the persona', () => {
    const styled = model({}, { image: 'required', style: 'optional' });
    expect(requestOn({ url: 'u', pid: 3, output: null }, styled)).toEqual({
      model: 'm',
      image: 'u',
      pid: 3,
      style_transfer: 'none',
    });
    expect(requestOn({ url: 'u', pid: 3, output: null }, model({}))).toEqual({ model: 'm', image: 'u', pid: 3 });
    expect(requestOn({ url: 'u', pid: null, output: null }, styled)).toEqual({ model: 'm', image: 'u' });
  });

  it('names the output that it goes on from, also in an address', () => {
    const output = { generation_id: 12, output: 1 };
    expect(requestOn({ url: 'u', pid: null, output }, model({}))).toEqual({ model: 'm', image: 'u', parent: output });
    expect(outputOf(outputText(output))).toEqual(output);
    expect([outputOf('12.1'), outputOf(undefined), outputOf('x12-1')]).toEqual([null, null, null]);
  });
});

describe('the price of a call without parameters', () => {
  const count = { properties: { count: { default: 2 }, duration: { default: 5 }, hd: { default: 4 } } };
  it.each<[string, Partial<ModelDto>, number]>([
    ['is the cost of one output', {}, 4],
    ['counts the outputs', { parameters: count }, 8],
    ['counts the seconds', { parameters: count, cost_per: 'second', cost: 0.5 }, 3],
    [
      'follows a setting',
      { parameters: { properties: { hd: { default: 4 } } }, cost: { 2: 3, 4: 7 }, cost_parameter: 'hd' },
      7,
    ],
    ['is whole', { cost: 0.07 }, 1],
    ['may be nothing', { cost: 0 }, 0],
  ])('%s', (_, fields, price) => expect(priceByDefault(model(fields))).toBe(price));
});
