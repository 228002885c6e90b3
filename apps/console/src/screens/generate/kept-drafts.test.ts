import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Memory } from '../../state/index.ts';
import { newMemory } from '../../testing/memory.ts';
import { EMPTY_DRAFT } from '../../model-form/draft.ts';
import { KeptDrafts } from './kept-drafts.ts';

const picture = (url: string, expires_at?: string) => ({ url, content_type: 'image/png', name: 'a.png', expires_at });
const fox = { ...EMPTY_DRAFT, model: 'painter', pid: 3, prompt: 'a fox' };
const empty = { ...EMPTY_DRAFT, model: 'painter', pid: 3 };

describe('kept drafts', () => {
  let memory: Memory;
  const draftsOf = (owner: string) => new KeptDrafts(memory, owner);

  beforeEach(() => {
    ({ memory } = newMemory());
  });

  it('are kept by model and persona; the last one comes first', () => {
    const wolf = { ...fox, pid: 4, prompt: 'a wolf' };
    for (const draft of [fox, wolf, { ...wolf, prompt: 'two wolves' }]) draftsOf('1/1').keep(draft);
    expect(draftsOf('1/1').last()).toMatchObject({ prompt: 'two wolves' });
    expect(draftsOf('1/1').of(fox)).toEqual(fox);
    expect(draftsOf('1/1').of({ ...fox, model: 'camera' })).toBeUndefined();
    draftsOf('1/1').drop(wolf);
    expect(draftsOf('1/1').last()).toEqual(fox);
  });

  it('belong to one user and workspace', () => {
    draftsOf('1/1').keep(fox);
    expect(draftsOf('1/2').last()).toBeUndefined();
    draftsOf('2/2').keep({ ...fox, pid: null });
    expect(draftsOf('1/1').last()).toBeUndefined();
  });

  it('are emptied when accepted, unless they were changed meanwhile', () => {
    const drafts = draftsOf('1/1');
    drafts.keep({ ...fox, prompt: 'two foxes' });
    drafts.accepted(fox);
    expect(drafts.last()).toMatchObject({ prompt: 'two foxes' });
    drafts.keep(fox);
    drafts.accepted(fox);
    expect(drafts.last()).toEqual(empty);
    expect(drafts.of(fox)).toBeUndefined();
  });

  it('lose expired pictures, and never contain an address that may contain a signature', () => {
    const inAnHour = picture('http://here/storage/b.png', new Date(Date.now() + 3_600_000).toISOString());
    const expired = picture('http://here/storage/a.png', new Date(Date.now() - 1000).toISOString());
    const signed = [picture('https://there/c.png?X-Amz-Signature=ab'), picture('https://me:secret@there/c.png')];
    draftsOf('1/1').keep({ ...fox, image: expired, mask: inAnHour, style: 'none', references: signed });
    expect(draftsOf('1/1').last()).toEqual({ ...fox, image: null, mask: inAnHour, style: 'none', references: [] });
    expect(memory.getItem('x12-drafts')).not.toMatch(/Signature|secret/);
  });

  it('keep pictures of a private workspace, without their signatures', () => {
    const file = 'http://here/files/4hT0k3n/b.png';
    const signature = `expires=1800000000&signature=${'a'.repeat(43)}`;
    const local = { url: 'data:image/webp;base64,AA', width: 2, height: 1 };
    const thumbnails = [{ url: `http://here/files/t2/c.webp?${signature}`, width: 320, height: 240 }, local];
    const image = { ...picture(`${file}?${signature}`), thumbnails };
    draftsOf('1/1').keep({ ...fox, image });
    expect(memory.getItem('x12-drafts')).not.toContain('signature');
    expect(new KeptDrafts(memory, '1/1').last()!.image).toMatchObject({ url: file, thumbnails: [local] });
  });
});
