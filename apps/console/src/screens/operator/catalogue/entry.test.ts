import { describe, expect, it } from '@jest/globals';
import {
  costOf,
  costParts,
  decisiveParameters,
  type EntryCost,
  freeId,
  otherProblems,
  problemAt,
  withChange,
  withoutParameter,
} from './entry.ts';

describe('an entry in the form', () => {
  it('loses the fields that are emptied', () => {
    expect(withChange({ title: 'Flux', cost: 4 }, { title: '', description: 'Fast.' })).toEqual({
      cost: 4,
      description: 'Fast.',
    });
  });

  it('loses with a parameter what only this parameter sets', () => {
    const parameters = { hd: { type: 'boolean' }, seed: { type: 'integer' } };
    const mapping = { prompt: '{prompt}', hd: '{hd}', size: { from: 'hd', values: {} }, text: 'hd {hd}' };
    expect(withoutParameter({ parameters, mapping }, 'hd')).toEqual({
      parameters: { seed: { type: 'integer' } },
      mapping: { prompt: '{prompt}', text: 'hd {hd}' },
    });
    expect(withoutParameter({ parameters: { hd: {} } }, 'hd')).toEqual({ mapping: {} });
  });

  it.each<[EntryCost]>([[4], [{ credits: 0.5, per: 'second' }], [{ credits: { 2: 4, 4: 8 }, parameter: 'hd' }]])(
    'keeps the cost %j as it is',
    (cost) => expect(costOf(costParts(cost))).toEqual(cost),
  );

  it('has no cost before there is each amount', () => {
    expect(costOf(costParts(undefined))).toBeUndefined();
    const parts = { parameter: 'hd', per: 'output' } as const;
    expect(costOf({ ...parts, credits: { 2: 4, 4: undefined } })).toBeUndefined();
    expect(costOf({ ...parts, credits: { 2: 4, 4: 0 } })).toEqual({ credits: { 2: 4, 4: 0 }, parameter: 'hd' });
  });

  it('can have its cost decided by choices and switches with a default', () => {
    const hd = { type: 'integer', enum: [2, 4], default: 2 };
    const parameters = { hd, fast: { type: 'boolean', default: true }, loose: { enum: ['a', 'b'] }, seed: {} };
    expect([...decisiveParameters({ parameters })]).toEqual([
      ['hd', ['2', '4']],
      ['fast', ['false', 'true']],
    ]);
  });
});

describe('the problems of an entry', () => {
  const problems = { cost: ['is missing'], 'parameters.hd.type': ['must be integer'], mapping: ['is missing'] };

  it('stand at the field that they are in', () => {
    expect(problemAt(problems, 'cost')).toBe('is missing');
    expect(problemAt(problems, 'parameters.hd')).toBe('type must be integer');
    expect(problemAt(problems, 'parameters.h')).toBeUndefined();
  });

  it('are all shown, also those of fields that the form does not have', () => {
    expect(otherProblems(problems, ['cost', 'parameters'])).toEqual(['mapping is missing']);
    expect(otherProblems({ '': ['must be at most 5 bytes'] }, [])).toEqual(['must be at most 5 bytes']);
  });
});

it('a taken id gets a number', () => {
  expect([freeId('flux', []), freeId('flux', ['flux', 'flux-2'])]).toEqual(['flux', 'flux-3']);
});
