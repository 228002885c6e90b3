import { expect, it } from '@jest/globals';
import { allQuestions, openQuestions, type Question } from './proposal.ts';

const cost: Question = { about: 'cost', price: null };
const kind: Question = { about: 'kind', choices: ['image', 'video'] };
const tasks: Question = { about: 'tasks', suggested: [] };
const picture: Question = { about: 'picture', field: 'img', description: null, choices: ['image', 'none'] };

it('answered questions stay, so that their answers can be changed, and the cost comes last', () => {
  const first = allQuestions([], [cost, kind, picture]);
  expect(first).toEqual([kind, picture, cost]);
  expect(allQuestions(first, [cost, tasks])).toEqual([kind, picture, tasks, cost]);
});

it('the cost is answered by the entry, everything else by the next proposal, and tasks may be none', () => {
  expect(openQuestions([cost, tasks, picture], {})).toEqual([cost, picture]);
  expect(openQuestions([cost, tasks, picture], { cost: 0 })).toEqual([picture]);
});
