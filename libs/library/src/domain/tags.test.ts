import { describe, expect, it } from '@jest/globals';
import { changedTags, MAX_TAGS, tagOf, tagPrefixOf, tagsOf } from './tags.ts';

describe('a tag', () => {
  it.each([
    [' Blue  Hour ', 'blue hour'],
    ['BLUE\thour', 'blue hour'],
    ['ＢＬＵＥ', 'blue'],
    ['Cafe\u0301', 'café'],
    ['Straße', 'straße'],
    ['🦊', '🦊'],
    ['ثعلب', 'ثعلب'],
    [`it's "good" & <new>`, `it's "good" & <new>`],
  ])('of %j has the form %j', (text, tag) => {
    expect(tagOf(text)).toBe(tag);
    expect(tagOf(tag)).toBe(tag);
  });

  it('has 1 to 64 characters', () => {
    expect(tagOf('x')).toBe('x');
    expect(tagOf('🦊'.repeat(64))).toBe('🦊'.repeat(64));
    for (const wrong of ['', '  ', 'x'.repeat(65), '🦊'.repeat(65), 'x'.repeat(1_000_000)]) {
      expect(() => tagOf(wrong)).toThrow('must have tags of 1 to 64 characters');
    }
  });

  it('is not too long because of a form that stands for many characters', () => {
    expect(() => tagOf('ﷺ'.repeat(64))).toThrow('1 to 64 characters');
  });

  it.each(['a,b', 'a\u0000b', '\u0007', 'a\ud83e'])('is not %j', (text) => {
    expect(() => tagOf(text)).toThrow();
  });

  it('takes no time to be refused', () => {
    const started = process.threadCpuUsage();
    expect(() => tagOf('\u0301\u0323'.repeat(500_000))).toThrow();
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(50);
  });
});

describe('tags', () => {
  it('stand in order, each once in one form', () => {
    expect(tagsOf(['b', 'A', 'a ', 'B'])).toEqual(['a', 'b']);
  });

  it('are added and removed; what is both is there', () => {
    expect(changedTags(['a', 'b'], { add: ['c', 'a'], remove: ['b', 'x'] })).toEqual(['a', 'c']);
    expect(changedTags(['a'], { add: ['a'], remove: ['a'] })).toEqual(['a']);
  });

  it('are 32 at most', () => {
    const many = Array.from({ length: MAX_TAGS }, (_, index) => `t${index}`);
    expect(changedTags([], { add: many, remove: [] })).toHaveLength(MAX_TAGS);
    expect(changedTags(['old'], { add: many, remove: ['old'] })).toHaveLength(MAX_TAGS);
    expect(() => changedTags(['old'], { add: many, remove: [] })).toThrow('32 tags at most');
  });

  it('are found by a beginning in any form', () => {
    expect(tagPrefixOf(' Blue ')).toBe('blue ');
    expect(tagPrefixOf('x'.repeat(129))).toBe('');
  });
});
