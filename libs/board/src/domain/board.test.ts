import { describe, expect, it } from '@jest/globals';
import { CONTENT_TYPES, type StoredFile } from '#files';
import { extrasOf, MAX_EXTRAS_BYTES, MAX_NAME_LENGTH, nameOf } from './board.ts';
import { checkPlacement, MAX_DEPTH } from './folder-tree.ts';
import { mediaKindOf, nameOfMedia } from './media-kind.ts';
import { failed, firstState, processed, retried, type CreatedMedia } from './media.ts';

describe('the name of a board or a folder', () => {
  it.each([1, MAX_NAME_LENGTH])('is trimmed, and may have %i characters after trimming', (length) => {
    expect(nameOf(`  ${'é'.repeat(length)} \n`)).toBe('é'.repeat(length));
    expect([...nameOf('🌊'.repeat(length))]).toHaveLength(length);
  });

  it.each(['', '   ', 'x'.repeat(MAX_NAME_LENGTH + 1)])('is refused when it is empty or too long', (name) => {
    expect(() => nameOf(name)).toThrow(/name must have 1 to 255 characters/);
  });
});

describe('the extras of a media item', () => {
  it.each(['{"a": [1, 2]}', '1.50', 'null', '"text"', ' {} '])('are kept verbatim: %s', (extras) => {
    expect(extrasOf(extras)).toBe(extras);
  });

  it.each(['', '{', '{a: 1}', 'undefined', "{'a': 1}"])('are refused when they do not parse: %s', (extras) => {
    expect(() => extrasOf(extras)).toThrow(/extras must be a string that holds JSON/);
  });

  it('have at most 64 KiB in UTF-8', () => {
    const filled = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`;
    expect(extrasOf(filled(MAX_EXTRAS_BYTES))).toHaveLength(MAX_EXTRAS_BYTES / 2 + 1);
    expect(() => extrasOf(filled(MAX_EXTRAS_BYTES + 2))).toThrow(/at most 64 KiB/);
  });
});

describe('the place of a folder', () => {
  it('is never the folder itself or one of its subfolders', () => {
    const place = (path: number[], folderId: number) => () => checkPlacement({ path, folderId, height: 1 });
    for (const path of [[1], [1, 2, 3]]) {
      expect(place(path, 1)).toThrow(expect.objectContaining({ code: 'folder_cycle' }));
    }
    for (const path of [[], [1], [1, 4]]) expect(place(path, 3)).not.toThrow();
  });

  it.each([1, 21])('is at most 50 deep, counting the %i levels of the moved folder', (height) => {
    const under = (depth: number) => () =>
      checkPlacement({ path: Array.from({ length: depth }, (_, index) => index), folderId: null, height });
    expect(under(MAX_DEPTH - height)).not.toThrow();
    expect(under(MAX_DEPTH - height + 1)).toThrow(
      expect.objectContaining({ code: 'validation_failed', fields: { parent_id: [expect.any(String)] } }),
    );
  });
});

describe('the kind of a file', () => {
  it.each(Object.entries(CONTENT_TYPES))('is known for %s, which gets a file name of its type', (_, contentType) => {
    expect(mediaKindOf(contentType)).not.toBeNull();
    const extension = /\.(\w+)$/.exec(nameOfMedia(contentType))![1]!;
    expect(CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES]).toBe(contentType);
  });

  it.each([
    ['image/jpeg', 'picture'],
    ['image/svg+xml', 'drawing'],
    ['video/mp4', 'video'],
    ['model/gltf-binary', 'model'],
    ['text/html', null],
    ['', null],
  ])('of %j is %j', (contentType, kind) => expect(mediaKindOf(contentType)).toBe(kind));
});

const created: CreatedMedia = {
  id: 1,
  boardId: 2,
  workspaceId: 3,
  revision: 4,
  sources: { url: 'https://example.com/a.png', controlImage: null },
  state: 'created',
};

describe('a media item', () => {
  const some = 'https://example.com/a';
  const seen = { contentType: 'image/png', thumbnails: [{}] } as unknown as StoredFile;
  const unseen = { ...seen, thumbnails: [] };
  const model = { ...unseen, contentType: 'model/gltf-binary' };
  it.each<[string, string | null, StoredFile | null, string | null, StoredFile | null, string]>([
    ['has no source', null, null, null, null, 'processed'],
    ['is fetched', some, null, null, null, 'created'],
    ['has a control image that is fetched', null, null, some, null, 'created'],
    ['is a stored picture that was looked at', some, seen, null, null, 'processed'],
    ['is a stored model', some, model, null, null, 'processed'],
    ['is a stored picture that nobody has looked at', some, unseen, null, null, 'created'],
    ['is a stored picture, and its control image is fetched', some, seen, some, null, 'created'],
    ['is a stored picture, and nobody has looked at its stored control image', some, seen, some, unseen, 'processed'],
    ['shows a control image that nobody has looked at', null, null, some, unseen, 'created'],
  ])('that %s', (_what, url, file, controlImage, control, state) => {
    expect(firstState({ url, controlImage }, { file, control })).toBe(state);
  });

  it.each([
    [Object.assign(new Error(), { code: 'url_timeout' }), 'url_timeout'],
    [new Error('a bug'), 'internal_error'],
    [Object.assign(new Error(), { code: 7 }), 'internal_error'],
    ['no error', 'internal_error'],
  ])('fails with the code of %o: %s', (error, code) => {
    expect(failed(created, error)).toEqual({ ...created, state: 'failed', error: code });
  });

  it('is processed in the waiting revision, or retried in the next one without its error', () => {
    const files = { fileKey: 'files/a/b.png', controlImageKey: null };
    expect(processed(created, files)).toEqual({ ...created, state: 'processed', ...files });
    expect(retried(failed(created, null))).toEqual({ ...created, revision: 5 });
  });
});
