import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pathOf, readmeOf } from './archive.ts';

const named = (filename: string, id = 7) => pathOf({ id, filename });

describe('the path of a file in the zip', () => {
  it.each([
    ['picture.png', 'files/7-picture.png'],
    ['Überblick 2.JPG', 'files/7-Überblick 2.JPG'],
    ['../../etc/passwd', 'files/7-.._.._etc_passwd'],
    ['..', 'files/7-_'],
    ['C:\\Windows\\a.png', 'files/7-C__Windows_a.png'],
    ['line\nbreak\u202Egnp.png', 'files/7-line_break_gnp.png'],
    ['con', 'files/7-con'],
    ['ends in dots...', 'files/7-ends in dots_'],
    ['\uD800.png', 'files/7-\uFFFD.png'],
    ['', 'files/7-'],
  ])('of %j is %j', (filename, path) => {
    expect(named(filename)).toBe(path);
  });

  it('is safe to unpack for any name, and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (filename) => {
        const path = named(filename);
        expect(path).toMatch(/^files\/7-[^/\\:*?"<>|\p{Cc}]*$/u);
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(140);
        expect(path.endsWith('.')).toBe(false);
      }),
    );
  });

  it('keeps the extension of a long name', () => {
    expect(named(`${'ä'.repeat(100)}.webp`)).toBe(`files/7-${'ä'.repeat(60)}.webp`);
  });

  it('is unique for files of one name', () => {
    expect(named('a.png', 1)).not.toBe(named('a.png', 11));
    expect(named('1-a.png', 1)).not.toBe(named('a.png', 11));
  });
});

it('the read-me says whose data it is, and when it was taken', () => {
  const text = readmeOf('ada@example.com', new Date('2026-11-25T12:00:00Z'), 'https://x12.example.com');
  expect(text).toMatch(/^The data of ada@example.com at https:\/\/x12.example.com, as of 2026-11-25T12:00:00.000Z\./);
});
