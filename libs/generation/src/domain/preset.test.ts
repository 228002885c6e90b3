import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '#kernel';
import { aModel, modelInputs } from '#testing/catalogue';
import {
  checkAmong,
  checkedForModel,
  checkedPresetName,
  checkPresetPrompt,
  MAX_PRESETS,
  withPreset,
  type PresetContent,
} from './preset.ts';

const PRESET: PresetContent = {
  name: 'Portrait',
  model: 'painter',
  prompt: 'a {animal}',
  parameters: { width: 640, seed: 7 },
  personaId: 3,
  styleTransfer: 'persona',
};
/** A call, by the fields of its request. */
function call(fields: Record<string, unknown>) {
  const { model = '', pid = null, style_transfer: style = null, prompt = null } = fields;
  return {
    model: model as string,
    personaId: pid as number | null,
    styleTransfer: style as string | null,
    prompt: prompt as string | null,
    fields,
  };
}
const filled = (fields: Record<string, unknown>) => withPreset(call(fields), PRESET);

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as DomainError).fields ?? (error as DomainError).code;
  }
}

describe('a preset', () => {
  it('fills all that a call leaves out', () => {
    const { fields, ...rest } = filled({ preset_id: 1 });
    expect(rest).toEqual({ model: 'painter', personaId: 3, styleTransfer: 'persona', prompt: 'a {animal}' });
    expect(fields).toMatchObject({ width: 640, seed: 7 });
  });

  it('replaces nothing that a call has, be it null', () => {
    const own = { model: 'painter', pid: 4, style_transfer: 'none', prompt: 'an owl', width: 64 };
    expect(filled(own)).toEqual({ ...call(own), fields: { ...own, seed: 7 } });
    const none = { pid: null, style_transfer: null, prompt: null, seed: null };
    expect(filled(none)).toMatchObject({ personaId: null, styleTransfer: null, prompt: null, fields: { seed: null } });
  });

  it('gives another model neither its parameters nor its style', () => {
    const other = { model: 'sculptor' };
    expect(filled(other)).toEqual({ ...call(other), personaId: 3, prompt: 'a {animal}' });
  });

  it('has a name of 1 to 100 characters on one line', () => {
    expect(checkedPresetName(' Owl ')).toBe('Owl');
    expect(checkedPresetName('😀'.repeat(100))).toHaveLength(200);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)]) {
      expect(refusal(() => checkedPresetName(name))).toEqual({ name: [expect.stringMatching(/^must have 1 to 100/)] });
    }
  });

  it('has at most 32 variables', () => {
    const prompt = (count: number) => Array.from({ length: count }, (_, index) => `{v${index}}`).join('');
    checkPresetPrompt(prompt(32));
    checkPresetPrompt(null);
    expect(refusal(() => checkPresetPrompt(prompt(33)))).toEqual({ prompt: ['must have at most 32 variables'] });
  });

  it('has a name of its own, beside 199 others at most', () => {
    const others = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Preset ${index}` }));
    checkAmong(others(MAX_PRESETS - 1), 'New');
    expect(refusal(() => checkAmong(others(MAX_PRESETS), 'New'))).toBe('conflict');
    expect(refusal(() => checkAmong(others(3), 'Preset 1'))).toBe('conflict');
  });
});

describe('the settings of a preset for its model', () => {
  const model = aModel({
    inputs: modelInputs({ style: 'optional' }),
    parameters: {
      width: { type: 'integer', description: 'W', minimum: 64, default: 512 },
      look: { type: 'string', description: 'L' },
    },
  });
  /** As JSON Schemas would: `look` is required, and `width` not below 64. */
  const problemsOf = (values: Readonly<Record<string, unknown>>) => ({
    ...(!('look' in values) && { look: ['is required'] }),
    ...((values['width'] as number) < 64 && { width: ['must be an integer of at least 64'] }),
  });
  const checked = (parameters: object, styleTransfer: string | null = null, of = model) =>
    refusal(() => checkedForModel(of, { parameters, styleTransfer }, problemsOf));

  it('are read as a call reads them, without defaults and without what the call has to give', () => {
    expect(checked({ width: '640' })).toEqual({ width: 640 });
    expect(checked({})).toEqual({});
    expect(checked({ width: null, look: '' })).toEqual({});
    expect(checked({ look: 'soft' })).toEqual({ look: 'soft' });
  });

  it('have no value that the model refuses, and no parameter that it does not have', () => {
    expect(checked({ width: 12 })).toEqual({ width: ['must be an integer of at least 64'] });
    expect(checked({ width: 'wide' })).toEqual({ width: ['must be an integer of at least 64'] });
    const unknown = { parameters: ['must be parameters of the model test-image, which has no toString'] };
    expect(checked({ toString: 1 })).toEqual(unknown);
    expect(checked({ look: 'x'.repeat(65_537) })).toEqual({ parameters: ['must have at most 64 KiB'] });
  });

  it('have a style only for a model that takes one', () => {
    const without = aModel({ inputs: modelInputs({ style: 'none' }) });
    for (const style of [null, 'none']) expect(checked({}, style, without)).toEqual({});
    for (const style of ['persona', 'https://example.com/a.png']) {
      expect(checked({}, style)).toEqual({});
      expect(checked({}, style, without)).toHaveProperty('style_transfer');
    }
    expect(checked({}, 'ftp://example.com')).toHaveProperty('style_transfer');
  });

  it('are for no model that trains styles', () => {
    expect(checked({}, null, aModel({ kind: 'style' }))).toHaveProperty('model');
  });
});
