import { badAnswer, type Answers } from './proposal.ts';
import { isNumber, isObject, listOf } from './schema.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isWords = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);

/** The shape of each answer; whether an answer is a possible choice is decided with its question. */
const SHAPES: Readonly<Record<keyof Answers, readonly [is: (value: unknown) => boolean, shape: string]>> = {
  cost: [(value) => isNumber(value) || isObject(value), 'must be a number or an object'],
  kind: [isText, 'must be a text'],
  tasks: [(value) => Array.isArray(value) && listOf(value).every(isText), 'must be a list of texts'],
  pictures: [isWords, 'must be an object of texts'],
  prompt: [isText, 'must be a text'],
  defaults: [isObject, 'must be an object'],
};

/** Answers from outside. @throws DomainError `validation_failed` on `answers.…` for one of another shape or subject */
export function readAnswers(answers: Readonly<Record<string, unknown>>): Answers {
  for (const [name, value] of Object.entries(answers)) {
    if (!Object.hasOwn(SHAPES, name)) throw badAnswer(name, 'is no question');
    const [is, shape] = SHAPES[name as keyof Answers];
    if (!is(value)) throw badAnswer(name, shape);
  }
  return answers as Answers;
}
