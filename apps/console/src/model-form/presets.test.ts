import { describe, expect, it } from '@jest/globals';
import type { GenerationResponse, PresetDto } from '../api/index.ts';
import { type Draft, EMPTY_DRAFT, isMissing, requestOf } from './draft.ts';
import { settingsOfDraft, settingsOfGeneration, withSettings } from './presets.ts';
import { aModel } from '../testing/model.ts';

const MODEL = aModel({ image: 'optional', style: 'optional' }, { seed: {}, width: {} });
const PICTURE = { url: 'https://a.example/owl.png', content_type: 'image/*', name: 'owl.png' };
const preset = (part: Partial<PresetDto> = {}) =>
  ({
    ...{ id: 1, name: 'Owls', model: 'painter', prompt: 'an {animal}', parameters: { width: 64 }, persona_id: 3 },
    ...{ style_transfer: null, missing: [], variables: [], model_state: 'ok', successor: null },
    ...part,
  }) as unknown as PresetDto;

describe('a preset', () => {
  it('saves what the form would send, without pictures to work on', () => {
    const draft: Draft = {
      ...EMPTY_DRAFT,
      ...{ pid: 3, prompt: ' an {animal} ', parameters: { width: 64, other: 1, seed: null } },
      ...{ image: PICTURE, style: PICTURE, variables: { animal: 'owl' } },
    };
    const settings = { model: 'painter', prompt: 'an {animal}', parameters: { width: 64 }, persona_id: 3 };
    expect(settingsOfDraft(draft, MODEL)).toEqual({ ...settings, style_transfer: PICTURE.url });
    const nothing = { model: 'painter', prompt: null, parameters: {}, persona_id: null, style_transfer: null };
    expect(settingsOfDraft(EMPTY_DRAFT, MODEL)).toEqual(nothing);
  });

  it('of a generation has the braces of its prompt as text', () => {
    const none = { start_frame: null, style_reference: null, mask: null, control: null, references: [] };
    const own = { ...none, image: PICTURE.url };
    const generation = { model: 'painter', pid: 3, prompt: 'an {animal}', parameters: { width: 64 }, inputs: own };
    expect(settingsOfGeneration(generation as unknown as GenerationResponse, MODEL)).toEqual({
      ...{ model: 'painter', prompt: 'an {{animal}}', parameters: { width: 64 }, persona_id: 3 },
      style_transfer: 'none',
    });
  });

  it('fills the form, whose pictures stay, and asks for its variables', () => {
    const draft = { ...EMPTY_DRAFT, model: 'other', prompt: 'a cat', parameters: { seed: 7 }, image: PICTURE };
    const filled = withSettings(draft, preset());
    expect(filled).toEqual({
      ...EMPTY_DRAFT,
      ...{ model: 'painter', prompt: 'an {animal}', variables: {}, parameters: { width: 64 }, pid: 3, image: PICTURE },
    });
    expect(isMissing('variables.animal', filled)).toBe(true);
    expect(requestOf(filled, MODEL).variables).toEqual({});
    const complete = { ...filled, variables: { animal: 'owl', gone: 'x' } };
    expect(isMissing('variables.animal', complete)).toBe(false);
    expect(requestOf(complete, MODEL)).toMatchObject({ prompt: 'an {animal}', variables: { animal: 'owl' } });
  });

  it('without variables leaves the prompt as it is, braces and all', () => {
    const filled = withSettings(EMPTY_DRAFT, preset({ prompt: '{"a": 1}' }));
    expect(requestOf(filled, MODEL)).toMatchObject({ prompt: '{"a": 1}' });
    expect(requestOf(filled, MODEL)).not.toHaveProperty('variables');
    expect(withSettings(EMPTY_DRAFT, preset({ prompt: '{{a}}' })).variables).toEqual({});
  });

  it.each([
    ['none', 'none'],
    ['persona', null],
    [null, null],
    [PICTURE.url, PICTURE],
  ])('has the style %j in the form', (style, shown) => {
    expect(withSettings(EMPTY_DRAFT, preset({ style_transfer: style })).style).toEqual(shown);
  });

  it('has the successor of its model once that was replaced', () => {
    const successor = 'next';
    expect(withSettings(EMPTY_DRAFT, preset({ successor })).model).toBe('painter');
    expect(withSettings(EMPTY_DRAFT, preset({ model_state: 'replaced', successor })).model).toBe('next');
  });

  it('leaves out a persona that is gone', () => {
    expect(withSettings(EMPTY_DRAFT, preset({ missing: ['persona'] })).pid).toBeNull();
  });
});
