import { describe, expect, it } from '@jest/globals';
import { mentionsIn } from '../../../../../../libs/review/src/domain/mentions.ts';
import { markAt, suggestionsFor, withMention } from './mentions.ts';

const PEOPLE = [
  { id: 1, name: 'Ada', email: 'ada@example.com' },
  { id: 2, name: 'Ada Lovelace', email: 'lovelace@example.com' },
  { id: 3, name: null, email: 'grace.hopper@example.com' },
  { id: 4, name: ' Zoë ', email: 'zoe@example.com' },
  { id: 5, name: 'zoë', email: 'zoe2@example.com' },
  { id: 6, name: 'Émile', email: 'zola@example.com' },
  { id: 7, name: 'Linus', email: 'torvalds@example.com' },
  { id: 8, name: 'torvalds', email: 'other@example.com' },
  { id: 9, name: 'Kim', email: 'kim@example.com' },
  { id: 10, name: 'Kim', email: 'kim@example.org' },
];
/** The text with `|` for the caret. */
const at = (text: string) => [text.replace('|', ''), text.indexOf('|')] as const;

describe('the mention that is being written', () => {
  it.each([
    ['@|', '', '@'],
    ['@Ad|', 'Ad', '@Ad'],
    ['what, @grace.h|', 'grace.h', '@grace.h'],
    ['line\n@Zoë|', 'Zoë', '@Zoë'],
    ['(@a|', 'a', '@a'],
    ['@A|da, look', 'A', '@Ada'],
    ['-@a|.', 'a', '@a'],
  ])('is the word with an @ before the caret: %j', (text, typed, word) => {
    const [whole, caret] = at(text);
    const mark = markAt(whole, caret)!;
    expect([mark.typed, whole.slice(mark.start, mark.end)]).toEqual([typed, word]);
  });

  it.each(['|', '|@Ada', 'Ada|', '@Ada |', '@Ada\n|', 'mail@a|', 'a.@a|', '_@a|', '7@a|', '@@a|', 'é@a|'])(
    'is none in %j',
    (text) => expect(markAt(...at(text))).toBeNull(),
  );
});

describe('the people who are suggested', () => {
  const ids = (typed: string, people = PEOPLE) => suggestionsFor(typed, people).map(({ id }) => id);

  it.each([
    ['ada', [1, 2]],
    ['LOVE', [2]],
    ['grace.', [3]],
    ['zoe', [4, 5]],
    ['ZOË', [4, 5]],
    ['emi', [6]],
    ['lace', []],
    ['example', []],
    ['grace.hopper@', []],
  ])('have a name or an e-mail that begins with %j', (typed, expected) => {
    expect([...ids(typed)].sort((a, b) => a - b)).toEqual(expected);
  });

  it('are at most five, in the order of the alphabet', () => {
    expect(ids('')).toEqual([1, 2, 6, 3, 9]);
    const many = (count: number) => PEOPLE.slice(0, count);
    expect([ids('', many(5)).length, ids('', many(6)).length]).toEqual([5, 5]);
  });
});

describe('a mention that is chosen', () => {
  const chosen = (text: string, id: number) => {
    const [whole, caret] = at(text);
    const person = PEOPLE.find((each) => each.id === id)!;
    const { text: next, caret: after } = withMention(whole, markAt(whole, caret)!, person, PEOPLE);
    return `${next.slice(0, after)}|${next.slice(after)}`;
  };

  it.each([
    ['@ad|', 1, '@Ada |'],
    ['so, @lo| what?', 2, 'so, @Ada Lovelace |what?'],
    ['@|, what?', 3, '@grace.hopper |, what?'],
    ['@zo|', 4, '@zoe |'],
    ['@tor|', 7, '@Linus |'],
    ['@tor|valds is', 8, '@other |is'],
    ['a\n@em|\nb', 6, 'a\n@Émile |\nb'],
  ])('replaces the word, and goes on behind it: %j', (text, id, expected) => {
    expect(chosen(text, id)).toBe(expected);
  });

  it('is read by the service as that person, where a name or an e-mail is only theirs', () => {
    const members = PEOPLE.map(({ id, name, email }) => ({ userId: id, name, email }));
    const read = PEOPLE.map(({ id }) => mentionsIn(chosen('so, @|', id).replace('|', ''), members));
    expect(read).toEqual([[1], [2], [3], [4], [5], [6], [7], [8], [9, 10], [9, 10]]);
  });
});
