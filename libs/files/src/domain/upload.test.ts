import { describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import { anUpload, hoursAfter, someRules, someTime } from '#testing/files';
import { NOTHING_SEEN } from './picture.ts';
import { allocate, factsOf, finalize, freeze, leftoversOf, type AllocatedUpload, type NewUpload } from './upload.ts';

const asked = {
  workspaceId: 1,
  userId: 2,
  personaId: 3,
  token: 'token',
  filename: 'a.png',
  parts: null,
  ...NO_CUSTOM_DATA,
};

function allocated(differences: Partial<NewUpload> = {}): AllocatedUpload {
  return { ...anUpload({ ...asked, ...differences }), id: 4, personaId: 3, state: 'allocated' };
}

const frozen = (differences: Partial<NewUpload> = {}) =>
  freeze(allocated(differences), { key: 'frozen/token.1', size: 5, marking: 'kept', isPrivate: false }, someTime);

describe('an upload', () => {
  it('accepts bytes while its URL is valid, and is dropped after a day', () => {
    const upload = allocate(asked, someRules({ urlTtlSeconds: 3600 }), someTime);
    expect(upload).toMatchObject({ createdAt: someTime, expiresAt: hoursAfter(someTime, 1) });
    expect(upload.cleanUpAt).toEqual(hoursAfter(someTime, 24));
  });

  it('is not dropped while its URL is valid', () => {
    const upload = allocate(asked, someRules({ urlTtlSeconds: 48 * 3600 }), someTime);
    expect(upload.cleanUpAt).toEqual(hoursAfter(someTime, 96));
  });

  it('is not dropped within an hour of being frozen', () => {
    expect(frozen({ cleanUpAt: someTime }).cleanUpAt).toEqual(hoursAfter(someTime, 1));
    expect(frozen({ cleanUpAt: hoursAfter(someTime, 24) }).cleanUpAt).toEqual(hoursAfter(someTime, 24));
  });

  it('becomes a permanent file, or a temporary file that expires 12 hours after finalizing', () => {
    const later = hoursAfter(someTime, 5);
    const customData = { customer: 'user-1', metadata: { order: 'A-17' } };
    const permanent = finalize(frozen({ filename: 'a.PNG', ...customData }), someRules(), later);
    expect(permanent.file).toEqual({
      workspaceId: 1,
      personaId: 3,
      origin: 'upload',
      key: 'files/token/a.PNG',
      isPrivate: false,
      filename: 'a.PNG',
      name: 'a.PNG',
      size: 5,
      contentType: 'image/png',
      marking: 'kept',
      ...customData,
      createdAt: later,
      expiresAt: null,
      seen: null,
    });
    const rules = someRules({ temporaryTtlSeconds: 43_200 });
    const temporary = finalize(frozen({ filename: 'x12tmp-a.png' }), rules, later);
    expect(temporary.file.expiresAt).toEqual(hoursAfter(someTime, 17));
  });

  it('is cleaned up once no PUT can be in progress', () => {
    const times = { createdAt: someTime, expiresAt: hoursAfter(someTime, 1) };
    expect(finalize(frozen(times), someRules(), someTime).cleanUpAt).toEqual(hoursAfter(someTime, 2));
    const long = { createdAt: someTime, expiresAt: hoursAfter(someTime, 48) };
    expect(finalize(frozen(long), someRules(), someTime).cleanUpAt).toEqual(hoursAfter(someTime, 96));
  });

  it('may leave bytes under each of its earlier keys, but never under the key of its file', () => {
    const { upload, file } = finalize(frozen(), someRules(), someTime);
    expect(leftoversOf(allocated())).toEqual(['staging/token', 'files/token/a.png']);
    expect(leftoversOf(upload)).toEqual(['staging/token', 'frozen/token.1', 'files/token/a.png']);
    const facts = factsOf(upload);
    const saved = { ...NO_CUSTOM_DATA, ...file, ...NOTHING_SEEN, id: 1, marking: null };
    expect(leftoversOf({ ...facts, state: 'finalized', file: saved })).toEqual(['staging/token']);
    expect(leftoversOf({ ...facts, state: 'expired' })).toEqual(['staging/token']);
  });
});
