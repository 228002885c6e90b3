import { expect, it } from '@jest/globals';
import { aModel } from '../testing/builders.ts';
import { problemsOfNames, problemsOfSuccessor } from './model-names.ts';

const others = [aModel({ id: 'fluw', aliases: ['flux'] }), aModel({ id: 'render' })];

it('a name is unique over all ids and aliases, save for the entry itself', () => {
  const names = (id: string, ...aliases: string[]) => problemsOfNames({ id, aliases }, others);
  expect(names('next', 'newest')).toEqual({});
  expect(names('fluw', 'flux')).toEqual({});
  expect(names('flux')).toEqual({ id: ['is also an alias of fluw'] });
  expect(names('next', 'newest', 'render', 'flux', 'next')).toEqual({
    'aliases.1': ['is also the id of a model'],
    'aliases.2': ['is also an alias of fluw'],
    'aliases.3': ['is also the id of a model'],
  });
});

it('a successor is of the same kind, if it is known', () => {
  const problems = (successor: string | null) =>
    problemsOfSuccessor(aModel({ successor }), [...others, { id: 'film', aliases: [], kind: 'video' }]);
  expect(problems(null)).toEqual({});
  expect(problems('render')).toEqual({});
  expect(problems('later')).toEqual({});
  expect(problems('film')).toEqual({ successor: ['must be of the kind image: film is of the kind video'] });
});
