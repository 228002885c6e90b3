/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { teamOf } from '../support/team-of.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
const service = useService();
const team = prepared(() => teamOf(service));
const owner = prepared(async () => team.owner);
const member = prepared(() => team.member());
const call = callerOf(service, owner);

interface Entry {
  readonly id: number;
  readonly kind: string;
  readonly event: { readonly id: string; readonly subject: { readonly id: number } };
}
const inbox = async (query = '') => (await call('GET', `/v2/inbox${query}`)).body;
const entriesOf = (boardId: number, count: number): Promise<Entry[]> =>
  eventually(async () => {
    const { items } = (await inbox()) as { items: Entry[] };
    const found = items.filter(({ event }) => event.subject.id === boardId);
    return found.length === count && found;
  });

/** A board with an item of the owner, about which the member wrote and decided. */
async function reviewedBoard() {
  const board: number = (await call('POST', '/boards', { json: { name: 'Summer' } })).body.board.id;
  const media: number = (await call('POST', `/boards/${board}/media`, { json: {} })).body.media.id;
  const at = `/boards/${board}/media/${media}`;
  const { token } = member;
  await call('POST', `${at}/comments`, { json: { text: 'warmer?' }, token });
  await call('PUT', `${at}/decision`, { json: { decision: 'changes_requested', text: 'too cold' }, token });
  return { board, media, entries: await entriesOf(board, 2) };
}

describe('the inbox', () => {
  it('lists entries with their events, newest first, page by page and by filters', async () => {
    const { board, media, entries } = await reviewedBoard();
    const listed = (await call('GET', `/v2/events?subject=board:${board}&order=newest&limit=1`)).body.events;
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        kind: 'decision',
        ...{ created_at: expect.any(String), read_at: null, event: listed[0] },
        ...{ title: 'Summer', item: null, author: 'Someone', text: 'too cold', verdict: 'changes_requested' },
        ...{ board_id: board, folder_id: null, media_id: media, persona_id: null, thumbnails: [] },
      },
      expect.objectContaining({ kind: 'comment', text: 'warmer?', verdict: null }),
    ]);
    const first = await inbox('?limit=1&unread=true&kinds=decision,comment');
    expect(first).toMatchObject({ items: [{ id: entries[0]!.id }], next_cursor: expect.any(String) });
    const second = await inbox(`?limit=1&cursor=${first.next_cursor}`);
    expect(second.items).toMatchObject([{ id: entries[1]!.id }]);
    expect((await inbox('?kinds=share')).items).toEqual([]);
    expectRefusal(await call('GET', '/v2/inbox?kinds=news'), 400, 'validation_failed', 'kinds');
  });

  it('marks entries as read, by id or all of some kinds, of the caller alone', async () => {
    const { entries } = await reviewedBoard();
    const ids = entries.map(({ id }) => id);
    const read = (json: object, token = owner.token) => call('POST', '/v2/inbox/read', { json, token });
    expect((await read({ ids }, member.token)).status).toBe(200);
    const { unread } = await inbox();
    expect((await read({ ids: [ids[0]] })).body).toEqual({ status: true, unread: unread - 1 });
    expect((await read({ all: true, kinds: ['mention'] })).body.unread).toBe(unread - 1);
    expect((await read({ all: true })).body.unread).toBe(0);
    expect((await inbox('?unread=true')).items).toEqual([]);
    expect((await inbox()).items[0]).toMatchObject({ id: ids[0], read_at: expect.any(String) });
  });

  it('refuses marks of nothing, of both, and of too many', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1_000_000);
    const read = (json: object) => call('POST', '/v2/inbox/read', { json });
    expect((await read({ ids: ids(500) })).status).toBe(200);
    for (const json of [{}, { all: false }, { ids: ids(1), all: true }, { ids: ids(501) }, { ids: [] }]) {
      expectRefusal(await read(json), 400, 'validation_failed', 'ids');
    }
    expectRefusal(await read({ ids: ids(1), kinds: ['share'] }), 400, 'validation_failed', 'kinds');
  });

  it('has settings of mails by kind, which change one by one', async () => {
    const path = '/v2/inbox/settings';
    const { settings } = (await call('GET', path)).body;
    const off = { comment: 'off', share: 'off', batch: 'off', style: 'off', model: 'off' };
    expect(settings).toEqual({ mention: 'immediate', decision: 'immediate', summary: 'immediate', ...off });
    const changed = await call('PUT', path, { json: { batch: 'digest', mention: 'off' } });
    expect(changed.body.settings).toEqual({ ...settings, batch: 'digest', mention: 'off' });
    expect((await call('GET', path)).body.settings).toEqual(changed.body.settings);
    expect((await call('GET', path, { token: member.token })).body.settings).toEqual(settings);
    expectRefusal(await call('PUT', path, { json: { batch: 'weekly' } }), 400, 'validation_failed', 'batch');
  });
});
