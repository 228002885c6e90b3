import { describe, expect, it } from '@jest/globals';
import { isBackup, nameAt, obstacles, placesOf, PLACED, savedSecrets, surplus, unknownMigrations } from './rules.ts';

const NAMES = ['2026-11-22T18-00-00.000Z', '2026-11-21T18-00-00.000Z', '2026-11-23T18-00-00.000Z'];

describe('the name of a backup', () => {
  it('tells when it was made, and is a name on every file system', () => {
    expect(nameAt(new Date('2026-11-22T18:05:09.123Z'))).toBe('2026-11-22T18-05-09.123Z');
    expect(isBackup('2026-11-22T18-05-09.123Z')).toBe(true);
  });

  it.each(['draft-x', 'draft-2026-11-22T18-05-09.123Z', 'lock', 'pid', '..', '', '../2026-11-22T18-05-09.123Z'])(
    'is not %p',
    (name) => expect(isBackup(name)).toBe(false),
  );
});

describe('how many are kept', () => {
  it('is the newest, by their names', () => {
    expect(surplus(NAMES, 2)).toEqual(['2026-11-21T18-00-00.000Z']);
    expect(surplus(NAMES, 3)).toEqual([]);
    expect(surplus(NAMES, 4)).toEqual([]);
  });

  it('leaves everything alone that is no backup', () => {
    expect(surplus([...NAMES, 'lock', 'draft-x', 'notes.txt'], 1)).toEqual([NAMES[1], NAMES[0]]);
  });
});

describe('the bytes of a key', () => {
  it('are looked for where they were, where they may be moved to, and where they were again', () => {
    expect(placesOf('files/a/b.png')).toEqual(['files/a/b.png', 'kept/a/b.png', 'files/a/b.png']);
    expect(placesOf('kept/a/b.png')).toEqual(['kept/a/b.png', 'files/a/b.png', 'kept/a/b.png']);
  });

  it('of an upload are in one place', () => {
    expect(placesOf('staging/a')).toEqual(['staging/a']);
    expect(placesOf('frozen/a.b')).toEqual(['frozen/a.b']);
  });
});

describe('a restoration', () => {
  it('goes into an empty folder, or into one that an interrupted restoration left', () => {
    expect(obstacles([])).toEqual([]);
    expect(obstacles(['restoring', 'lock', 'pid'])).toEqual([]);
    expect(obstacles(['lock', 'postgres', 'files'])).toEqual(['postgres', 'files']);
  });

  it('puts the password of the database in place last', () => expect(PLACED.at(-1)).toBe('secrets'));

  it('is refused for migrations that this version does not know', () => {
    expect(unknownMigrations(['a', 'b'], ['a', 'b', 'c'])).toEqual([]);
    expect(unknownMigrations(['a', 'z'], ['a', 'b'])).toEqual(['z']);
  });
});

it('saves all secrets but the password of the database and unfinished ones', () => {
  expect(savedSecrets(['postgres', 'storage-signing', 'storage-signing.123.ab12cd34'])).toEqual(['storage-signing']);
});
