import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filenames } from '#testing/files';
import { CONTENT_TYPES, derivedNameOf, fileNameOf, permanentNameOf } from './file-name.ts';

describe('a file name', () => {
  it.each([
    ['a.png', 'png', false],
    ['A.JPeG', 'jpeg', false],
    ['x12tmp-a.mp4', 'mp4', true],
    ['X12TMP-a.mp4', 'mp4', false],
    ['a x12tmp-.mp4', 'mp4', false],
    ['x12tmp-.glb', 'glb', true],
    ['a.exe.fbx', 'fbx', false],
  ])('%s is a %s file; temporary: %s', (text, extension, temporary) => {
    expect(fileNameOf(text)).toEqual({ text, extension, temporary });
  });

  it.each(Object.keys(CONTENT_TYPES))('may end in .%s', (extension) => {
    expect(fileNameOf(`a.${extension}`).extension).toBe(extension);
    expect(fileNameOf(`a.${extension.toUpperCase()}`).extension).toBe(extension);
  });

  it('is stored in the composed form of Unicode', () => {
    expect(fileNameOf('a\u0308.png').text).toBe('\u00e4.png');
  });

  it('has at most 255 bytes, counted after composing', () => {
    expect(fileNameOf(`${'a'.repeat(251)}.png`).text).toHaveLength(255);
    expect(fileNameOf(`${'a\u0308'.repeat(125)}a.png`).text).toHaveLength(130);
    expect(() => fileNameOf(`${'a'.repeat(252)}.png`)).toThrow(/at most 255 bytes/);
    expect(() => fileNameOf(`${'\u00e4'.repeat(126)}.png`)).toThrow(/at most 255 bytes/);
  });

  it.each([
    ['', 'must not be empty'],
    ['a/b.png', 'must not contain a path separator'],
    ['a\\b.png', 'must not contain a path separator'],
    ['a\0.png', 'must not contain control characters'],
    ['a\u007f.png', 'must not contain control characters'],
    ['a\u0085.png', 'must not contain control characters'],
    ['a\t.png', 'must not contain control characters'],
    ['.png', 'must not start with a dot'],
    ['..a.png', 'must not start with a dot'],
    ['a\ud800.png', 'must be well-formed Unicode'],
  ])('%j is refused: it %s', (text, problem) => {
    expect(() => fileNameOf(text)).toThrow(
      expect.objectContaining({ code: 'validation_failed', fields: { filename: [problem] } }),
    );
  });

  it.each(['a', 'a.', 'a.txt', 'a.png ', 'png', 'a.png.', 'a.constructor'])('%j is of no supported type', (text) => {
    expect(() => fileNameOf(text)).toThrow(expect.objectContaining({ code: 'unsupported_file_type' }));
  });
});

describe('the name of a permanent copy', () => {
  it.each([
    ['a.png', 'a.png'],
    ['x12tmp-a.png', 'a.png'],
    ['x12tmp-x12tmp-a.png', 'a.png'],
    ['x12tmp-.png', 'file.png'],
  ])('of %s is %s', (filename, expected) => {
    expect(permanentNameOf(filename)).toBe(expected);
  });

  it('is a valid name, and not a temporary one', () => {
    fc.assert(
      fc.property(filenames, fc.nat(2), (filename, times) => {
        const name = 'x12tmp-'.repeat(times) + filename;
        fc.pre(new TextEncoder().encode(name).length <= 255);
        const { text, temporary } = fileNameOf(permanentNameOf(name));
        expect({ text, temporary }).toEqual({ text: permanentNameOf(name), temporary: false });
      }),
    );
  });
});

describe('the name of a file made from another', () => {
  it.each([
    ['a.png', 'a-320.webp'],
    ['a.b.png', 'a.b-320.webp'],
    [`${'a'.repeat(246)}.png`, `${'a'.repeat(246)}-320.webp`],
    [`${'a'.repeat(247)}.png`, `${'a'.repeat(246)}-320.webp`],
    [`${'🦊'.repeat(62)}.png`, `${'🦊'.repeat(61)}-320.webp`],
  ])('%s is %s', (filename, expected) => {
    expect(derivedNameOf(filename, '-320.webp')).toBe(expected);
  });

  it('is a valid name', () => {
    fc.assert(
      fc.property(filenames, (filename) => {
        const name = derivedNameOf(filename, '-1024.webp');
        expect(fileNameOf(name).text).toBe(name);
      }),
    );
  });
});
