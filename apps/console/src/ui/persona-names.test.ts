import { expect, it } from '@jest/globals';
import { ambiguousNames, personaName } from './persona-names.ts';

const mine = { id: 1, name: 'Default', created_by: 7 };
const theirs = { id: 2, name: 'Default', created_by: 8 };
const gone = { id: 3, name: 'Default', created_by: 9 };
const twin = { id: 4, name: 'Ada', created_by: 7 };
const members = [
  { user_id: 7, email: 'grace@studio.example' },
  { user_id: 8, email: 'kay@studio.example' },
];

it('personas of different creators with the same name show their creator', () => {
  const personas = [mine, theirs, gone, twin, { ...twin, id: 5 }];
  const ambiguous = ambiguousNames(personas);
  expect(personas.map((persona) => personaName(persona, ambiguous, members))).toEqual([
    'Default (grace@studio.example)',
    'Default (kay@studio.example)',
    'Default (Former member 9)',
    'Ada',
    'Ada',
  ]);
  expect([...ambiguousNames([mine, theirs])]).toEqual(['Default']);
});
