import { describe, expect, it } from '@jest/globals';
import { aModel } from '../testing/model.ts';
import { endOf, modelOf } from './model-end.ts';

const now = new Date('2026-11-01T12:00:00Z');
const DAYS = 86_400_000;
const inDays = (days: number, later = 0) => new Date(now.getTime() + days * DAYS + later).toISOString();
const model = (id: string, fields: object) => aModel({}, { count: {} }, { id, title: `${id} one`, ...fields });
const next = model('next', { cost: 4, aliases: ['nearly-next'] });
const ending = (days: number, successor: string | null = 'next', later = 0) =>
  model('old', { retires_at: inDays(days, later), successor, aliases: ['older'] });
const sentence = (models: readonly ReturnType<typeof model>[], named: object = {}) =>
  endOf({ model: 'old', ...named }, models, now);

describe('the sentence about the end of a model', () => {
  it('is said from 60 days before', () => {
    expect(sentence([ending(60, 'next', 1), next])).toBeNull();
    expect(sentence([ending(60), next])).toBe('old one ends on December 31; then next one goes on, 4 credits each.');
    expect(sentence([model('old', { successor: 'next' }), next])).toBeNull();
  });

  it('asks for another model where none goes on', () => {
    expect(sentence([ending(2, null), next])).toBe('old one ends on November 3; choose another model.');
    expect(sentence([ending(2, 'not-offered'), next])).toBe('old one ends on November 3; choose another model.');
    const circle = [ending(2), model('next', { retires_at: inDays(1), successor: 'old' })];
    expect(sentence(circle)).toBe('old one ends on November 3; choose another model.');
  });

  it('says which model has gone on', () => {
    expect(sentence([ending(-1), next])).toBe('old one has ended; next one goes on, 4 credits each.');
    expect(sentence([ending(-1, null), next])).toBe('old one has ended; choose another model.');
  });

  it('says of presets what the service says', () => {
    const of = (model_state: string, successor: string | null = null) => sentence([next], { model_state, successor });
    expect(of('replaced', 'next')).toBe('The model “old” has ended; next one goes on, 4 credits each.');
    expect(of('retired')).toBe('The model “old” has ended; choose another model.');
    expect(of('gone')).toBe('The model “old” is no longer available from its provider; choose another model.');
    expect(of('unknown')).toBe('The model “old” is not offered any more; choose another model.');
    expect(endOf({ model: 'next', model_state: 'ok', successor: null }, [next], now)).toBeNull();
  });
});

describe('the model of a name', () => {
  it('is found by id and alias', () => {
    expect(modelOf('next', [ending(1), next], now)).toBe(next);
    expect(modelOf('nearly-next', [ending(1), next], now)).toBe(next);
    expect(modelOf('other', [next], now)).toBeUndefined();
    expect(modelOf(null, [next], now)).toBeUndefined();
  });

  it('is the successor once the named model has ended', () => {
    const old = ending(0, 'next', 1);
    expect(modelOf('older', [old, next], now)).toBe(old);
    expect(modelOf('older', [ending(0), next], now)).toBe(next);
    expect(modelOf('old', [ending(0, null), next], now)).toBeUndefined();
    const long = [ending(0, 'between'), model('between', { retires_at: inDays(-1), successor: 'next' }), next];
    expect(modelOf('old', long, now)).toBe(next);
  });
});
