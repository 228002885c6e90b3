import { describe, expect, it } from '@jest/globals';
import { aModel, aVideoModel } from '../testing/builders.ts';
import { ModelCatalog } from './model-catalog.ts';

describe('the catalogue of models', () => {
  const catalog = new ModelCatalog([aModel(), aVideoModel()]);

  it('finds a model by its id', () => {
    expect(catalog.get('test-video').kind).toBe('video');
  });

  it('names the models there are when one is unknown', () => {
    expect(() => catalog.get('nope')).toThrow('model must be one of test-image, test-video');
    expect(catalog.find('nope')).toBeNull();
  });

  it('refuses two models of one id, and parameters that are fields of every request', () => {
    expect(() => new ModelCatalog([aModel(), aModel()])).toThrow('same id');
    const greedy = aModel({ parameters: { prompt: { type: 'string', description: '', maxLength: 9 } } });
    expect(() => new ModelCatalog([greedy])).toThrow('declares prompt');
  });
});
