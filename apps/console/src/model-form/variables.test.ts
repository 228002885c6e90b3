import { expect, it } from '@jest/globals';
import { asText, isTemplate, variablesOf } from './variables.ts';

it.each([
  ['a {b} {a} {b}', ['b', 'a']],
  ['{{a}} {c}', ['c']],
  ['{動物} {é}', ['動物', 'é']],
  ['{"a": {"b": 1}} { a } {1} {}', []],
])('the variables of %j are %j', (prompt, names) => {
  expect(variablesOf(prompt)).toEqual(names);
  expect(isTemplate(prompt)).toBe(names.length > 0);
});

it('a name in double braces is text, which a template has', () => {
  expect(asText('a {b} {"c": 1}')).toBe('a {{b}} {"c": 1}');
  expect(variablesOf(asText('a {b}'))).toEqual([]);
  expect(isTemplate('{{b}}')).toBe(true);
});
