import { describe, expect, it } from '@jest/globals';
import { refusal } from '#testing/kernel';
import { filledLength, filledPrompt, fillVariables, isVariableName, variablesOf } from './prompt-variables.ts';

describe('the variables of a prompt', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['are replaced by their values', 'a {animal} in {place}', { animal: 'fox', place: 'snow' }, 'a fox in snow'],
    ['are replaced wherever they stand', '{a}{a} and {a}', { a: 'x' }, 'xx and x'],
    ['may have an empty value', 'a{ending} cat', { ending: '' }, 'a cat'],
    ['are replaced once: a name in a value is text', '{a} {b}', { a: '{b}', b: '{a}' }, '{b} {a}'],
    ['keep the signs of a value', '{a}', { a: "$& $1 $$ $'" }, "$& $1 $$ $'"],
    ['may have names in any script', '{tier} {動物} {é}', { tier: '1', 動物: '2', é: '3' }, '1 2 3'],
    ['are told from text by double braces', '{{a}} {a}', { a: 'x' }, '{a} x'],
    ['are not what JSON has in braces', '{"a": {"b": 1}} {} { a } {1}', {}, '{"a": {"b": 1}} {} { a } {1}'],
    ['may have the names of properties of objects', '{constructor}', { constructor: 'x' }, 'x'],
  ])('%s', (_, prompt, values, filled) => {
    expect(fillVariables(prompt, values)).toEqual({ prompt: filled, missing: [], unknown: [] });
  });

  it('without a value are named and stay', () => {
    const { prompt, missing } = fillVariables('{b} {toString} {a} {b}', { a: 'x' });
    expect([prompt, missing]).toEqual(['{b} {toString} x {b}', ['b', 'toString']]);
  });

  it('that the prompt does not have are named', () => {
    expect(fillVariables('{a} {{b}}', { c: '1', a: '2', b: '3' }).unknown).toEqual(['c', 'b']);
  });

  it.each(['a {x} b', '{x}{x}{{x}}', '{"x"} {y}'])('make %j as long as is said', (prompt) => {
    const values = { x: '12345', y: '' };
    const { prompt: filled } = fillVariables(prompt, values);
    expect(filledLength(prompt, (name) => values[name as 'x'].length)).toBe(filled.length);
  });

  it('are listed once, in their order', () => {
    expect(variablesOf('{b} {a} {b} {{c}}')).toEqual(['b', 'a']);
  });

  it.each([
    ['a', true],
    ['_a1', true],
    ['é'.normalize('NFD'), true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['1a', false],
    ['', false],
    ['a b', false],
    ['a-b', false],
  ])('may be named %j: %s', (name, isName) => {
    expect(isVariableName(name)).toBe(isName);
    expect(variablesOf(`{${name}}`)).toEqual(isName ? [name] : []);
  });
});

describe('the prompt of a call', () => {
  const refused = (prompt: string | null, variables: Record<string, unknown>) =>
    refusal(() => filledPrompt(prompt, variables)).fields;
  const tooLong = 'must be a text of at most 2000 characters';

  it('is filled with its variables', () => {
    expect(filledPrompt('a {animal}', { animal: 'fox' })).toBe('a fox');
    expect(filledPrompt(null, {})).toBeNull();
  });

  it('needs a value for each variable, and takes no others', () => {
    expect(refused('{a} {b} {c}', { b: 'x', d: 'y' })).toEqual({
      'variables.a': ['is required: the prompt has {a}'],
      'variables.c': ['is required: the prompt has {c}'],
      'variables.d': ['must be absent: it is no variable of the prompt'],
    });
    expect(refused(null, { a: 'x' })).toEqual({ 'variables.a': ['must be absent: it is no variable of the prompt'] });
  });

  it.each([[7], [null], [{}], [['x']], ['a\0b'], ['\ud800'], ['x'.repeat(2001)]])(
    'takes texts alone: not %j',
    (value) => {
      expect(refused('{a}', { a: value })).toEqual({ 'variables.a': [tooLong] });
    },
  );

  it('takes values of up to 2000 characters, 32 of them, and 10,000 characters in all', () => {
    expect(filledPrompt('{a}', { a: 'x'.repeat(2000) })).toHaveLength(2000);
    const names = Array.from({ length: 33 }, (_, index) => `v${index}`);
    const values = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(refused('', values)).toEqual({ variables: ['must be at most 32'] });
    const { v32: _, ...most } = values;
    expect(
      filledPrompt(
        names
          .slice(0, 32)
          .map((name) => `{${name}}`)
          .join(''),
        most,
      ),
    ).toBe('x'.repeat(32));
    const five = '{a}{a}{a}{a}{a}';
    expect(filledPrompt(five, { a: '\u{1f98a}'.repeat(1000) })).toHaveLength(10_000);
    expect(filledPrompt(five, { a: 'x'.repeat(2000) })).toHaveLength(10_000);
    expect(refused(`${five}!`, { a: 'x'.repeat(2000) })).toEqual({
      prompt: ['must have at most 10000 characters with its variables'],
    });
  });
});
