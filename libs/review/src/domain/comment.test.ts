import { describe, expect, it } from '@jest/globals';
import { checkRoom, commentTextOf, MAX_COMMENT_LENGTH, MAX_COMMENTS, pinOf, threadOf, type Pin } from './comment.ts';

const PICTURE = { contentType: 'image/png', duration: null };
const VIDEO = { contentType: 'video/mp4', duration: 8.5 };
const NOWHERE = { x: null, y: null, time: null };

describe('the text of a comment', () => {
  it.each([1, MAX_COMMENT_LENGTH])('is trimmed, and may have %i characters', (length) => {
    expect(commentTextOf(`  ${'🌊'.repeat(length)} \n`)).toBe('🌊'.repeat(length));
  });

  it.each(['', ' \n ', 'x'.repeat(MAX_COMMENT_LENGTH + 1), '🌊'.repeat(MAX_COMMENT_LENGTH + 1)])(
    'is refused when it is empty or too long (%#)',
    (text) => {
      expect(() => commentTextOf(text)).toThrow('text must have 1 to 4000 characters');
    },
  );

  it('has lines, and is kept as it was written', () => {
    expect(commentTextOf('warmer\r\nhere\rplease\t<b>&amp;')).toBe('warmer\nhere\nplease\t<b>&amp;');
  });

  it.each(['a\u0000b', 'a\u0007', '\u009bm'])('is refused with other control characters: %j', (text) => {
    expect(() => commentTextOf(text)).toThrow('must not have control characters');
  });
});

describe('the pin of a comment', () => {
  it('is none where nothing is given', () => {
    expect(pinOf(NOWHERE, PICTURE)).toEqual({ kind: 'none' });
  });

  it.each([
    [0, 0],
    [1, 1],
    [0.25, 0.999],
  ])('is a point of a picture or of a video: %d, %d', (x, y) => {
    for (const item of [PICTURE, VIDEO]) expect(pinOf({ x, y, time: null }, item)).toEqual({ kind: 'point', x, y });
  });

  it.each([
    ['x', -0.001, 0.5],
    ['x', Number.NaN, 0.5],
    ['y', 0.5, 1.001],
    ['y', 0.5, Infinity],
  ])('is refused outside of the item: %s of %d, %d', (name, x, y) => {
    expect(() => pinOf({ x, y, time: null }, PICTURE)).toThrow(`${name} must be from 0 to 1`);
  });

  it('has both x and y', () => {
    expect(() => pinOf({ ...NOWHERE, x: 0.5 }, PICTURE)).toThrow('y must be given');
    expect(() => pinOf({ ...NOWHERE, y: 0.5 }, PICTURE)).toThrow('x must be given');
  });

  it.each([0, 8.5])('is a moment of a video, from its beginning to its end: %d s', (time) => {
    expect(pinOf({ ...NOWHERE, time }, VIDEO)).toEqual({ kind: 'moment', seconds: time });
  });

  it.each([-0.1, 8.6, Number.NaN])('is refused outside of the video: %d s', (time) => {
    expect(() => pinOf({ ...NOWHERE, time }, VIDEO)).toThrow('time must be within the video, which ends at 8.5 s');
  });

  it('is no moment of a picture, and not both', () => {
    expect(() => pinOf({ ...NOWHERE, time: 1 }, PICTURE)).toThrow('time must be absent: the item is not a video');
    expect(() => pinOf({ x: 0.5, y: 0.5, time: 1 }, VIDEO)).toThrow('time must not be given together with x and y');
  });
});

describe('a reply', () => {
  const none: Pin = { kind: 'none' };

  it('joins the thread of the comment that it replies to, also of a reply', () => {
    expect(threadOf({ id: 3, parentId: null }, none)).toBe(3);
    expect(threadOf({ id: 4, parentId: 3 }, none)).toBe(3);
  });

  it('has no pin of its own', () => {
    expect(() => threadOf({ id: 3, parentId: null }, { kind: 'point', x: 0, y: 0 })).toThrow(
      'parent_id must be absent',
    );
  });
});

it('is one of at most 1,000 comments of an item', () => {
  checkRoom({ commentsCount: MAX_COMMENTS - 1 });
  expect(() => checkRoom({ commentsCount: MAX_COMMENTS })).toThrow('at most 1000 comments');
});
