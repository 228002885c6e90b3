import { join, relative, sep } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderPaths, mediaName, safeName } from './safe-path.ts';

const HOSTILE = [
  '../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  '',
  '  ',
  'C:\\x',
  'a\0b.png',
  '.ssh',
  '\u202egnp.exe',
  '\ud800',
];

describe('a name of the service as a name of a file', () => {
  it.each([...HOSTILE, 'x'.repeat(500), 'é'.repeat(500)])('%j stays one name', (text) => {
    const name = safeName(text);
    expect(name).toMatch(/^[^./\\\p{C}][^/\\\p{C}]*$/u);
    expect(name).not.toMatch(/[. ]$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130);
  });

  it.each([
    ['a lake.webp', 'a lake.webp'],
    ['CON', '_CON'],
    ['nul.png', '_nul.png'],
    ['com1 .txt', '_com1 .txt'],
    ['console.png', 'console.png'],
    ['what?.png', 'what_.png'],
    ['e\u0301.png', '\u00e9.png'],
    [`${'x'.repeat(121)}.webp`, `${'x'.repeat(120)}.webp`],
  ])('%j is %j', (text, name) => {
    expect(safeName(text)).toBe(name);
  });

  it('of a media item has its id, and the extension of its file once', () => {
    const url = 'https://x12.example.com/files/7/style.PNG?expires=1';
    expect(mediaName({ id: 12, name: 'style.png', url })).toBe('style-12.PNG');
    expect(mediaName({ id: 12, name: 'v1.5', url })).toBe('v1.5-12.PNG');
    expect(mediaName({ id: 12, name: null, url })).toBe('media-12.PNG');
    expect(mediaName({ id: 12, name: 'x'.repeat(500), url })).toMatch(/^x{100,}-12\.PNG$/);
  });
});

describe('the folders of a board', () => {
  const folder = (id: number, name: string, parent_id: number | null) => ({ id, name, parent_id });

  it('are nested as on the board', () => {
    const paths = folderPaths('out', [folder(1, 'a', null), folder(2, 'b', 1), folder(3, 'c', 2)]);
    expect([...paths]).toEqual([
      [1, join('out', 'a')],
      [2, join('out', 'a', 'b')],
      [3, join('out', 'a', 'b', 'c')],
    ]);
  });

  it('stay below the root, whatever their names and parents are', () => {
    const nested = HOSTILE.map((name, at) => folder(at + 1, name, at === 0 ? null : at));
    const paths = folderPaths('/root/out', [...nested, folder(90, 'a', 91), folder(91, 'b', 90), folder(92, 'c', 99)]);
    for (const path of paths.values()) {
      expect(relative('/root/out', path).split(sep)).not.toContain('..');
      expect(path.startsWith('/root/out/')).toBe(true);
    }
  });
});
