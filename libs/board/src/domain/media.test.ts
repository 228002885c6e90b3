import { describe, expect, it } from '@jest/globals';
import { failed, firstState, processed, retried, type CreatedMedia, type MediaContent } from './media.ts';

const created: CreatedMedia = {
  id: 1,
  boardId: 2,
  workspaceId: 3,
  revision: 4,
  sources: { url: 'https://example.com/a.png', controlImage: null },
  state: 'created',
};

describe('a media', () => {
  it('waits for its processing only when it has a source', () => {
    expect(firstState({ url: null, controlImage: null })).toBe('processed');
    expect(firstState({ url: 'https://example.com', controlImage: null })).toBe('created');
    expect(firstState({ url: null, controlImage: 'https://example.com' })).toBe('created');
  });

  it('is processed in the revision that was waiting', () => {
    const content = { fileKey: 'files/a/b.png' } as MediaContent;
    expect(processed(created, content)).toEqual({ ...created, state: 'processed', content });
  });

  it.each([
    [Object.assign(new Error(), { code: 'url_timeout' }), 'url_timeout'],
    [new Error('a bug'), 'internal_error'],
    [Object.assign(new Error(), { code: 7 }), 'internal_error'],
    ['no error', 'internal_error'],
  ])('fails with the code of %o: %s', (error, code) => {
    expect(failed(created, error)).toEqual({ ...created, state: 'failed', error: code });
  });

  it('that failed is retried in the next revision, without its error', () => {
    expect(retried(failed(created, null))).toEqual({ ...created, revision: 5 });
  });
});
