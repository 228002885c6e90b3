import { describe, expect, it } from '@jest/globals';
import { aModel } from '../testing/builders.ts';
import { ModelCatalog } from './model.ts';

describe('the model catalog', () => {
  it('refuses two models of one id, and parameters that are fields of every request', () => {
    expect(() => new ModelCatalog([aModel(), aModel()])).toThrow('same id');
    const greedy = aModel({ parameters: { prompt: { type: 'string', description: '', maxLength: 9 } } });
    expect(() => new ModelCatalog([greedy])).toThrow('declares prompt');
  });
});
