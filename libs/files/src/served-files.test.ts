import { beforeEach, describe, expect, it } from '@jest/globals';
import { HmacFileSignatures } from '#adapters/storage';
import { DomainError } from '#kernel';
import { ManualClock } from '#testing/kernel';
import { probeKey, ServedFiles, StoredUrls, WorkspaceUrls, type FileAccess, type ServedFile } from './index.ts';

const KEY = 'files/token/a.png';
const HOUR = 3_600;
let clock: ManualClock;
const time = { now: () => clock.now() };
const signatures = new HmacFileSignatures('x'.repeat(32));
const seen = { isInTrash: false, isRemoved: false, hasDeletedPersona: false, isUsed: true };

let file: ServedFile | null;
let failure: Error | null;
let access: FileAccess;
beforeEach(() => {
  clock = new ManualClock(new Date('2026-12-01T10:00:00Z'));
  access = { workspaceId: 1, filesArePrivate: true, fileKeyVersion: 1 };
  const workspace = { ...access, keyRotatedAt: null, movingSince: null };
  file = { state: { ...seen, picture: null }, workspace, isShareOpen: false };
  failure = null;
});

const served = new ServedFiles({ served: async () => (failure ? Promise.reject(failure) : file) }, signatures, time);
const records = { find: async () => ({ ...file!.workspace, ...access }), accessOfKey: async () => access };
const urls = new WorkspaceUrls(new StoredUrls('https://files.example.com'), signatures, records, time, 24 * HOUR);
const queryOf = (limits = {}, options = '') => urls.as(access, limits).urlOf(KEY, options).split('?')[1]!;
const permission = (query: string, key = KEY) => served.permissionOf(key, query);
const change = (differences: Partial<ServedFile['workspace']>) => {
  file = { ...file!, workspace: { ...file!.workspace, ...differences } };
};

describe('a file of a private workspace', () => {
  it('opens by its URL until that expires', async () => {
    const query = queryOf();
    const until = new Date('2026-12-02T10:00:00Z');
    expect(await permission(query)).toEqual({ of: 'reader', until, optionsAreSigned: true });
    clock.advance(24 * HOUR - 1);
    expect(await permission(query)).not.toBeNull();
    clock.advance(1);
    expect(await permission(query)).toBeNull();
    expect(await permission(queryOf())).not.toBeNull();
  });

  it('does not open without a signature, and not by that of another file, workspace or secret', async () => {
    expect(await permission('')).toBeNull();
    expect(await permission(queryOf(), 'files/token/b.png')).toBeNull();
    const ofOther = urls
      .as({ ...access, workspaceId: 2 })
      .urlOf(KEY)
      .split('?')[1]!;
    expect(await permission(ofOther)).toBeNull();
    const others = new WorkspaceUrls(
      new StoredUrls('https://files.example.com'),
      new HmacFileSignatures('y'.repeat(32)),
      records,
      time,
      HOUR,
    );
    expect(await permission(others.as(access).urlOf(KEY).split('?')[1]!)).toBeNull();
  });

  it('opens by a key that was rotated for one more hour, and not by an older one', async () => {
    const query = queryOf();
    const keyRotatedAt = clock.now();
    change({ fileKeyVersion: 2, keyRotatedAt });
    clock.advance(HOUR - 1);
    expect(await permission(query)).not.toBeNull();
    clock.advance(1);
    expect(await permission(query)).toBeNull();
    change({ fileKeyVersion: 3, keyRotatedAt: clock.now() });
    expect(await permission(query)).toBeNull();
  });

  it('opens for guests as long as their link is open', async () => {
    const end = new Date('2026-12-01T10:30:00Z');
    const query = queryOf({ share: { id: 7, expiresAt: end } });
    expect(await permission(query)).toBeNull();
    file = { ...file!, isShareOpen: true };
    expect(await permission(query)).toMatchObject({ until: end });
    clock.advance(HOUR / 2);
    expect(await permission(query)).toBeNull();
  });

  it('opens without a signature while files move, this once', async () => {
    change({ movingSince: clock.now() });
    expect(await permission('')).toEqual({ of: 'reader', until: null, optionsAreSigned: false });
  });

  it('says whether its options are signed', async () => {
    expect(await permission(queryOf({}, 'w=640'))).toMatchObject({ optionsAreSigned: true });
    expect(await permission(`w=640&${queryOf()}`)).toMatchObject({ optionsAreSigned: false });
    expect(await permission(queryOf({}, 'w=640').replace('640', '641'))).toBeNull();
  });

  it('is not opened without a secret for signatures', async () => {
    const without = new ServedFiles({ served: async () => file }, null, time);
    expect(await without.permissionOf(KEY, queryOf())).toBeNull();
  });
});

describe('a file', () => {
  it('of a public workspace opens for anyone, also by a former signature', async () => {
    const query = queryOf();
    change({ filesArePrivate: false });
    for (const each of ['', query, 'w=640'])
      expect(await permission(each)).toMatchObject({ of: 'anyone', isCertain: true });
  });

  it('that is deleted or unknown does not open', async () => {
    file = { ...file!, state: { ...seen, isInTrash: true, picture: null } };
    expect(await permission(queryOf())).toBeNull();
    file = null;
    expect(await permission(queryOf())).toBeNull();
  });

  it('opens at the public place alone while its record cannot be read', async () => {
    failure = new DomainError('unavailable', 'the database is away');
    expect(await permission(queryOf())).toMatchObject({ of: 'anyone', isCertain: false });
    failure = new Error('a defect');
    await expect(permission(queryOf())).rejects.toThrow('a defect');
  });

  it('of a check needs no record', async () => {
    file = null;
    expect(await permission('', probeKey('1'))).toMatchObject({ of: 'anyone' });
  });
});

describe('the URLs of a response', () => {
  const hourly = () => urls.as(access);

  it('stay the same for an hour, and differ in their version when they change', () => {
    const first = hourly();
    clock.advance(1);
    const next = hourly();
    clock.advance(HOUR - 2);
    expect(hourly().urlOf(KEY)).toBe(next.urlOf(KEY));
    expect([first.version === next.version, first.urlOf(KEY) === next.urlOf(KEY)]).toEqual([false, false]);
    clock.advance(2);
    expect(hourly().version).not.toBe(next.version);
    access = { ...access, fileKeyVersion: 2 };
    expect(hourly().version).not.toBe(next.version);
  });

  it('are plain in a public workspace, and never expire', async () => {
    access = { ...access, filesArePrivate: false };
    const plain = await urls.of(1);
    expect([plain.urlOf(KEY), plain.expiresAt, plain.version]).toEqual([`https://files.example.com/${KEY}`, null, '']);
    expect(plain.urlOf(KEY, 'w=640')).toBe(`https://files.example.com/${KEY}?w=640`);
  });

  it('are refused in a private workspace without a secret', () => {
    const without = new WorkspaceUrls(new StoredUrls('https://x.example.com'), null, records, time, HOUR);
    expect(() => without.as(access)).toThrow(/STORAGE_SIGNING_SECRET/);
  });
});
