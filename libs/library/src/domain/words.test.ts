import { describe, expect, it } from '@jest/globals';
import { isTypingErrorOf, wordsOf } from './words.ts';

const words = (text: string) => wordsOf(text, 100);

describe('the words of a text', () => {
  it.each<[what: string, text: string, expected: string[]]>([
    ['case', 'A Fox in the SNOW', ['a', 'fox', 'in', 'the', 'snow']],
    ['accents', 'Café Ångström crème', ['cafe', 'angstrom', 'creme']],
    ['letters with strokes', 'Łódź Straße Søren', ['lodz', 'strasse', 'soren']],
    ['compatibility forms', 'ﬁre ＦＯＸ ①', ['fire', 'fox', '1']],
    ['names of files', 'my_photo-2.final.png', ['my', 'photo', '2', 'final', 'png']],
    ['operators and quotes', `fox & !snow | (a:*) <-> 'b' "c" \\d --`, ['fox', 'snow', 'a', 'b', 'c', 'd']],
    ['numbers', '16:9 f1.8 2026', ['16', '9', 'f1', '8', '2026']],
    ['Arabic', 'ثعلب في الثلج', ['ثعلب', 'في', 'الثلج']],
    ['Hebrew with direction marks', '\u202bשועל\u202c', ['שועל']],
    ['Japanese, by characters', '雪の狐', ['雪', 'の', '狐']],
    ['a script beside another', 'neon猫', ['neon', '猫']],
    ['emoji', 'a 🦊 in❄️', ['a', '🦊', 'in', '❄']],
    ['control characters', 'fox\u0000snow\u0007', ['fox', 'snow']],
    ['half a character', 'fox \ud83e snow', ['fox', 'snow']],
    ['nothing', ' &|! ', []],
  ])('have no %s left', (_what, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('are cut at 64 units, and so many at most', () => {
    expect(words('x'.repeat(100))).toEqual(['x'.repeat(64)]);
    expect(wordsOf('a b c', 2)).toEqual(['a', 'b']);
    expect(wordsOf('a b c', 3)).toEqual(['a', 'b', 'c']);
  });

  it('take no time with a hundred thousand combining marks in any order', () => {
    const started = process.threadCpuUsage();
    words(`a${'\u0301\u0323'.repeat(50_000)}`);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(100);
  });
});

describe('a typing error', () => {
  it.each([
    ['moutain', 'mountain'],
    ['mountian', 'mountain'],
    ['mmountain', 'mountain'],
    ['mountsin', 'mountain'],
    ['muontian', 'mountain'],
    ['moutain', 'mountains'],
    ['wofl', 'wolf'],
    ['wolfs', 'wolf'],
  ])('is %s for %s', (asked, known) => {
    expect(isTypingErrorOf(asked, known)).toBe(true);
  });

  it.each([
    ['fxo', 'fox'],
    ['wfxl', 'wolves'],
    ['lion', 'loan'],
    ['mouxtxxn', 'mountain'],
    ['1234', '1235'],
  ])('is not %s for %s', (asked, known) => {
    expect(isTypingErrorOf(asked, known)).toBe(false);
  });
});
