import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validateFileName } from 'yauzl';
import { pathsOf, type PlacedFile } from './paths.ts';

const file = (filename: string, ...folders: string[]): PlacedFile => ({ name: filename, filename, folders });

describe('the path of a file in a zip', () => {
  it.each([
    ['has the names of its folders', file('a.png', 'Moods', 'Dusk'), 'Moods/Dusk/a.png'],
    ['has the name of the picture', { ...file('generation-53.webp'), name: 'red fox' }, 'red fox.webp'],
    ['keeps Unicode', file('Füchsin 狐 🦊.png', 'Émile'), 'Émile/Füchsin 狐 🦊.png'],
    ['has composed characters', file('e\u0301.png'), 'é.png'],
    ['leads nowhere up', file('../../etc/passwd', '..', '.'), '_/_/.._.._etc_passwd'],
    ['is not absolute', file('/etc/passwd'), '_etc_passwd'],
    ['has no drive', file('C:\\Windows\\a.png'), 'C__Windows_a.png'],
    ['is no device of Windows', file('CON', 'aux', 'Lpt1.d'), '_aux/_Lpt1.d/_CON'],
    ['is no device of Windows with an extension', file('nul.tar.gz'), '_nul.tar.gz'],
    ['may begin like a device', file('console.png', 'com10'), 'com10/console.png'],
    ['ends with no dot or space', file('a. ', 'b...'), 'b_/a_'],
    ['shows no name backwards', file('gnp.\u202exe'), 'gnp._xe'],
    ['has no control characters', file('a\u0000b\n.png'), 'a_b_.png'],
    ['leaves the list of files its name', file('INDEX.csv'), 'INDEX (2).csv'],
    ['leaves the list of missing files its name', file('missing.txt'), 'missing (2).txt'],
    ['may have the name of a list in a folder', file('index.csv', 'a'), 'a/index.csv'],
  ])('%s', (_, given, path) => {
    expect(pathsOf([given])).toEqual([path]);
  });

  it('is numbered where others are equal, also on systems that ignore case', () => {
    const names = ['a.png', 'A.png', 'a (2).png', 'a.png', 'é', 'e\u0301'];
    expect(pathsOf(names.map((name) => file(name)))).toEqual([
      'a.png',
      'A (2).png',
      'a (2) (2).png',
      'a (3).png',
      'é',
      'é (2)',
    ]);
    expect(pathsOf([file('a.png', 'x'), file('a.png', 'y'), file('a.png', 'X')])).toEqual([
      'x/a.png',
      'y/a.png',
      'X/a (2).png',
    ]);
  });

  it('is never that of a folder', () => {
    expect(pathsOf([file('dusk', 'Moods'), file('a.png', 'Moods', 'Dusk'), file('Moods')])).toEqual([
      'Moods/dusk (2)',
      'Moods/Dusk/a.png',
      'Moods (2)',
    ]);
  });

  it('is accepted by readers, and unique, for any names', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
    const placed = fc.record({ name, filename: name, folders: fc.array(name, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 20 }), (files) => {
        const paths = pathsOf(files);
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(files.length);
        for (const path of paths) expect([path, validateFileName(path)]).toEqual([path, null]);
        for (const path of paths) expect(path).not.toMatch(/(^|\/)\.{1,2}(\/|$)|\p{C}/u);
      }),
    );
  });
});
