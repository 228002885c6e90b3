/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import { teamOf } from '../support/team-of.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
const service = useService();
const team = prepared(() => teamOf(service));
const owner = prepared(async () => team.owner);
const member = prepared(() => team.member());
const stranger = prepared(() => service.signUp());
let board: number;
let item: number;
beforeAll(async () => {
  board = (await call('POST', '/boards', { json: { name: 'Summer' } })).body.board.id;
  item = (await call('POST', `/boards/${board}/media`, { json: {} })).body.media.id;
});

const call = callerOf(service, owner);
const at = (path = '', media = item) => `/boards/${board}/media/${media}${path}`;
const comment = async (json: object, token: string = owner.token) =>
  (await call('POST', at('/comments'), { json, token })).body.comment;
const shown = async () => (await call('GET', `/v2/boards/${board}`)).body.board.media[0];

describe('the review of a media item', () => {
  it('has comments, which the board counts from then on', async () => {
    const before = await call('GET', `/v2/boards/${board}`);
    expect(before.body.board.media[0]).toMatchObject({ decision: 'none', comments_count: 0 });
    const drawing = [
      {
        color: '#c04030',
        width: 0.01,
        points: [
          [0.1, 0.2],
          [0.5, 1],
        ],
      },
    ];
    const created = await call('POST', at('/comments'), { json: { text: ' warmer\r\nhere ', x: 0.25, y: 1, drawing } });
    expect([created.status, created.body.comment]).toEqual([
      201,
      {
        id: expect.any(Number),
        parent_id: null,
        author: { user_id: owner.id, name: 'Someone', share_id: null },
        ...{ text: 'warmer\nhere', x: 0.25, y: 1, time: null, drawing, mentions: [] },
        created_at: expect.any(String),
        ...{ edited_at: null, resolved_at: null, resolved_by: null },
      },
    ]);
    const headers = { 'if-none-match': before.headers.get('etag')! };
    expect((await call('GET', `/v2/boards/${board}`, { headers })).status).toBe(200);
    expect(await shown()).toMatchObject({ comments_count: 1 });
    expect((await call('GET', at('/comments'))).body.comments).toEqual([created.body.comment]);
    const { id } = created.body.comment;
    const changed = await call('PUT', at(`/comments/${id}`), { json: { text: 'cooler' } });
    expect(changed.body.comment).toMatchObject({ id, text: 'cooler', edited_at: expect.any(String) });
    const resolved = await call('POST', at(`/comments/${id}/resolve`), { token: member.token });
    expect(resolved.body.comment).toMatchObject({ resolved_by: { user_id: member.id } });
    const opened = await call('POST', at(`/comments/${id}/resolve`), { json: { resolved: false } });
    expect(opened.body.comment).toMatchObject({ resolved_at: null, resolved_by: null });
    expect((await call('DELETE', at(`/comments/${id}`))).body).toEqual({ status: true });
    expect(await shown()).toMatchObject({ comments_count: 0 });
  });

  it('refuses a comment that is not one, and names the field', async () => {
    for (const [json, field] of [
      [{}, 'text'],
      [{ text: '' }, 'text'],
      [{ text: 'x', x: 0.5, y: 1.01 }, 'y'],
      [{ text: 'x', drawing: [{ color: 'red', width: 0.01, points: [[0, 0]] }] }, 'drawing'],
    ] as const) {
      expectRefusal(await call('POST', at('/comments'), { json }), 400, 'validation_failed', field);
    }
  });

  it('is found before the fields are read: 404 for an unknown comment, 403 for one of somebody else', async () => {
    const { id } = await comment({ text: 'yours' });
    const change = (path: string) => call('PUT', path, { json: { text: '' }, token: member.token });
    expectRefusal(await change(at('/comments/999999')), 404, 'not_found');
    expectRefusal(await change(at(`/comments/${id}`)), 403, 'forbidden');
    const other = (await call('POST', `/boards/${board}/media`, { json: {} })).body.media.id;
    expectRefusal(await change(at(`/comments/${id}`, other)), 404, 'not_found');
    await call('DELETE', at('', other));
    const own = await comment({ text: 'mine' }, member.token);
    expect((await change(at(`/comments/${own.id}`))).status).toBe(400);
  });

  // A key makes the response before the commit.
  it('tells which members a comment mentions, also for a call with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'a-comment' };
    await service.call('PUT', '/v2/auth/me', { token: member.token, json: { name: 'Grace' } });
    const mentioning = await call('POST', at('/comments'), {
      ...{ headers, json: { text: '@Grace, warmer here', x: 0.25, y: 0.7499 } },
    });
    expect([mentioning.status, mentioning.body.comment]).toMatchObject([201, { mentions: [member.id], y: 0.7499 }]);
    expect((await call('GET', at('/comments'))).body.comments.at(-1)).toEqual(mentioning.body.comment);
  });

  it('has decisions with who and when; the board shows the latest one', async () => {
    const json = { decision: 'changes_requested', text: 'warmer' };
    const asked = await call('PUT', at('/decision'), { json, token: member.token });
    expect([asked.status, asked.body.decision]).toMatchObject([200, { ...json, author: { user_id: member.id } }]);
    await call('PUT', at('/decision'), { json: { decision: 'approved' } });
    expect(await shown()).toMatchObject({ decision: 'approved' });
    const folderless = await call('GET', `/v2/boards/${board}/media`);
    expect(folderless.body.media[0]).toMatchObject({ decision: 'approved' });
    expect((await call('GET', at('/decisions'))).body.decisions).toMatchObject([
      { decision: 'approved', text: null, author: { user_id: owner.id } },
      json,
    ]);
    const wrong = await call('PUT', at('/decision'), { json: { decision: 'perhaps' } });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['decision']]);
  });

  it('goes on with the next version: it has the place, and the request for changes is open no more', async () => {
    const add = (json: object) => call('POST', `/boards/${board}/media`, { json });
    const first = (await add({})).body.media;
    expect(first).toMatchObject({ version: 1, versions: [first.id], changes_open: false });
    const changes = { json: { decision: 'changes_requested' } };
    await call('PUT', at('/decision', first.id), changes);
    expect(await shown()).toMatchObject({ id: first.id, decision: 'changes_requested', changes_open: true });
    const open = `/boards/${board}/media?decision=open`;
    expect((await call('GET', open)).body.media).toMatchObject([{ id: first.id }]);
    const added = await add({ replaces: first.id });
    const next = added.body.media;
    expect([added.status, next]).toEqual([
      201,
      expect.objectContaining({ version: 2, versions: [first.id, next.id], decision: 'none', changes_open: false }),
    ]);
    expect((await call('GET', open)).body.media).toEqual([]);
    expect((await call('GET', at('/versions', first.id))).body.media).toMatchObject([
      { id: next.id, version: 2 },
      { id: first.id, version: 1, decision: 'changes_requested', changes_open: false },
    ]);
    expect((await call('GET', at('/versions', 999_999))).status).toBe(404);
    expectRefusal(await add({ replaces: first.id }), 409, 'conflict');
    expectRefusal(await call('PUT', at('/decision', first.id), changes), 409, 'conflict');
    expectRefusal(await add({ replaces: 999_999 }), 404, 'not_found');
    expectRefusal(await add({ replaces: next.id, folder_id: 1 }), 400, 'validation_failed', 'folder_id');
    await call('PUT', at('/decision', next.id), changes);
    expect((await call('POST', at('/decision/close', next.id), { token: member.token })).status).toBe(200);
    expect(await shown()).toMatchObject({ id: next.id, decision: 'changes_requested', changes_open: false });
    expectRefusal(await call('POST', at('/decision/close', next.id)), 409, 'conflict');
    await call('DELETE', at('', next.id));
  });

  it('is listed page by page', async () => {
    const media = (await call('POST', `/boards/${board}/media`, { json: {} })).body.media.id;
    for (const text of ['a', 'b', 'c']) await call('POST', at('/comments', media), { json: { text } });
    for (const decision of ['approved', 'none', 'changes_requested']) {
      await call('PUT', at('/decision', media), { json: { decision } });
    }
    const pages = async (path: string, list: 'comments' | 'decisions') => {
      const first = (await call('GET', at(`${path}?limit=2`, media))).body;
      const next = (await call('GET', at(`${path}?cursor=${first.next_cursor}`, media))).body;
      return [first[list], next[list], [next.next_cursor]].map((each) =>
        each.map((one: { text: string; decision?: string } | null) => one && (one.decision ?? one.text)),
      );
    };
    expect(await pages('/comments', 'comments')).toEqual([['a', 'b'], ['c'], [null]]);
    expect(await pages('/decisions', 'decisions')).toEqual([['changes_requested', 'none'], ['approved'], [null]]);
    for (const path of ['/comments?limit=0', '/decisions?cursor=x']) {
      expect((await call('GET', at(path, media))).status).toBe(400);
    }
    await call('DELETE', at('', media));
  });
});

describe('what a path names', () => {
  it('is looked for before the fields are read: 404 for what does not exist, 403 for what somebody else made', async () => {
    const { search } = (await call('POST', '/v2/searches', { json: { name: 'Blue', q: 'blue' } })).body;
    const { share } = (await call('POST', '/v2/shares', { json: { board_id: board } })).body;
    const put = (path: string, json: object, token: string = owner.token) => call('PUT', path, { json, token });
    expectRefusal(await put('/v2/library/999999', { rating: 9 }), 404, 'not_found');
    expectRefusal(await put('/v2/searches/999999', { rating: 9 }), 404, 'not_found');
    expectRefusal(await put(`/v2/searches/${search.id}`, { rating: 9 }, stranger.token), 404, 'not_found');
    expectRefusal(await put(`/v2/searches/${search.id}`, { rating: 9 }, member.token), 403, 'forbidden');
    expect((await put(`/v2/searches/${search.id}`, { rating: 9 })).status).toBe(400);
    expectRefusal(await put(`/v2/shares/${share.id}`, { allow: ['x'] }, stranger.token), 404, 'not_found');
    expectRefusal(await put(`/v2/shares/${share.id}`, { allow: ['x'] }, member.token), 403, 'forbidden');
    expect((await put(`/v2/shares/${share.id}`, { allow: ['x'] })).status).toBe(400);
  });
});
