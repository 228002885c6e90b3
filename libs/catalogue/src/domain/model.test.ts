import { describe, expect, it } from '@jest/globals';
import { aModel, aVideoModel } from '../testing/builders.ts';
import { ModelCatalog } from './model.ts';

describe('the model catalog', () => {
  const catalog = new ModelCatalog([aModel(), aVideoModel()]);

  it('finds a model by its id, and refuses an unknown id with the known ones', () => {
    expect(catalog.get('test-video').kind).toBe('video');
    expect(() => catalog.get('nope')).toThrow('model must be one of test-image, test-video');
  });

  it('refuses two models of one id, and parameters that are fields of every request', () => {
    expect(() => new ModelCatalog([aModel(), aModel()])).toThrow('same id');
    const greedy = aModel({ parameters: { prompt: { type: 'string', description: '', maxLength: 9 } } });
    expect(() => new ModelCatalog([greedy])).toThrow('declares prompt');
  });
});
