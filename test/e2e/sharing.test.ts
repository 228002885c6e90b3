/** @tier test, 30 s */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { documentsIn } from '../support/read-zip.ts';
import { aVideo } from '../support/sample-video.ts';
import { uploaded } from '../support/uploaded.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
const service = useService();
const user = prepared(() => service.signUp());
let url: string;
beforeAll(async () => {
  url = await uploaded(
    service,
    user,
    'fox.png',
    await sharp({ create: { width: 640, height: 400, channels: 3, background: '#789' } })
      .png()
      .toBuffer(),
  );
});

/** A board with a folder in a folder, and an item in each, the last at the root. */
let board: number;
let [outer, inner] = [0, 0];
let [inInner, inOuter, atRoot] = [0, 0, 0];
beforeEach(async () => {
  board = (await call('POST', '/v2/boards', { json: { name: 'Summer' } })).body.board.id;
  outer = (await call('POST', `/v2/boards/${board}/folders`, { json: { name: 'Outer' } })).body.folder.id;
  const json = { name: 'Inner', parent_id: outer };
  inner = (await call('POST', `/v2/boards/${board}/folders`, { json })).body.folder.id;
  [inInner, inOuter, atRoot] = [await item(inner), await item(outer), await item(null)];
  await eventually(async () => {
    const { body } = await call('GET', `/v2/boards/${board}`);
    return body.board.media.every((each: { state: string }) => each.state === 'processed');
  });
  await service.database.query('delete from rate_limits');
});

const call = callerOf(service, user);

async function item(folder_id: number | null): Promise<number> {
  return (await call('POST', `/v2/boards/${board}/media`, { json: { url, folder_id } })).body.media.id;
}

interface Shared {
  readonly id: number;
  /** `/v2/shared/<token>` */
  readonly path: string;
}

async function share(json: object): Promise<Shared> {
  const { status, body } = await call('POST', '/v2/shares', { json });
  expect([status, body]).toEqual([201, expect.objectContaining({ share: expect.anything() })]);
  const token = new URL(body.share.url).pathname.replace(/^\/s\//, '');
  return { id: body.share.id, path: `/v2/shared/${token}` };
}

/** A browser of a guest. */
function guestOf({ path }: Shared) {
  let cookie: string | undefined;
  return async (method: string, below = '', json?: object): Promise<TestResponse> => {
    const response = await service.call(method, path + below, { json, headers: cookie ? { cookie } : {} });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
}
type GuestCall = ReturnType<typeof guestOf>;

const outcome = ({ status, body }: TestResponse) => [status, body.code] as const;
const idsOf = async (guest: GuestCall, query = '') =>
  (await guest('GET', `/media${query}`)).body.media.map((each: { id: number }) => each.id);
const everything = ['download', 'comment', 'decide'];

describe('a share link', () => {
  it('is made by an admin or the owner, and shows its URL once', async () => {
    const created = await call('POST', '/v2/shares', { json: { board_id: board, allow: ['decide', 'comment'] } });
    const { url: link, ...shown } = created.body.share;
    expect(link).toMatch(new RegExp(`^${service.baseUrl}/s/x12_[A-Za-z0-9_-]{43}$`));
    expect(shown).toEqual({
      ...{ id: expect.any(Number), name: 'Summer', board_id: board, folder_id: null, media_count: 3 },
      ...{ allow: ['comment', 'decide'], has_password: false, watermark: null, label: null, expires_at: null },
      created_at: expect.any(String),
      created_by: { user_id: user.id, name: null },
      ...{ opened_count: 0, last_opened_at: null, opened_by: [] },
    });
    expect((await call('GET', `/v2/shares?board_id=${board}`)).body.shares).toEqual([shown]);
    expect((await call('GET', `/v2/shares/${shown.id}`)).body.share).toEqual(shown);
    const rows = await service.database.query(
      `select to_jsonb(shares)::text as row from shares where id = ${shown.id}`,
    );
    expect(JSON.stringify(rows)).not.toContain(link.split('/').pop());
  });

  it.each([
    [{}, 'request'],
    [{ board_id: 1, folder_id: 1 }, 'request'],
    [{ board_id: 1, password: 'abc' }, 'password'],
    [{ board_id: 1, password: 'x'.repeat(201) }, 'password'],
    [{ board_id: 1, allow: ['delete'] }, 'allow'],
    [{ board_id: 1, expires_at: '2020-01-01' }, 'expires_at'],
    [{ media_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'media_ids'],
  ])('refuses what is no link (%#)', async (json, field) => {
    const response = await call('POST', '/v2/shares', { json });
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, [field]]);
  });

  it('is not made of what is in another workspace', async () => {
    const { token } = await service.signUp();
    for (const json of [{ board_id: board }, { folder_id: outer }, { media_ids: [atRoot] }]) {
      expect((await call('POST', '/v2/shares', { token, json })).status).toBe(404);
    }
  });

  it('counts as opened when a guest gets in by the password, and not when the guest gives or changes a name', async () => {
    const link = await share({ board_id: board, password: 'secret' });
    const opened = async () => {
      const { opened_count, opened_by } = (await call('GET', `/v2/shares/${link.id}`)).body.share;
      return [opened_count, opened_by.map((each: { opened_count: number }) => each.opened_count)];
    };
    const guest = guestOf(link);
    await guest('GET');
    await guest('POST', '/enter', { password: 'wrong' });
    expect(await opened()).toEqual([0, []]);
    for (const each of [{ password: 'secret' }, { name: 'Grace' }, { name: 'Ann' }, { password: 'secret' }]) {
      expect((await guest('POST', '/enter', each)).body.share.folders).toHaveLength(2);
    }
    expect(await opened()).toEqual([1, [1]]);
    await call('PUT', `/v2/shares/${link.id}`, { json: { password: 'another' } });
    await guest('POST', '/enter', { password: 'another' });
    expect(await opened()).toEqual([2, [2]]);
    await guest('GET');
    const { opened_by, last_opened_at } = (await call('GET', `/v2/shares/${link.id}`)).body.share;
    expect([opened_by, last_opened_at]).toEqual([
      [{ name: 'Ann', opened_count: 3, last_opened_at: expect.any(String) }],
      expect.any(String),
    ]);
  });
});

describe('a guest', () => {
  it('sees a board with its folders, without prompts, members and addresses', async () => {
    const guest = guestOf(await share({ board_id: board }));
    const opened = await guest('GET');
    expect(opened.body).toMatchObject({
      share: {
        ...{ name: 'Summer', allow: [], expires_at: null, has_watermark: false, has_label: false },
        folders: [
          { id: outer, parent_id: null, name: 'Outer' },
          { id: inner, parent_id: outer, name: 'Inner' },
        ],
      },
      guest: { name: null },
    });
    for (const [name, value] of [
      ['referrer-policy', 'no-referrer'],
      ['x-robots-tag', 'noindex'],
      ['cache-control', 'no-store'],
    ]) {
      expect(opened.headers.get(name!)).toBe(value);
    }
    const media = await guest('GET', '/media?limit=1');
    expect(media.body.media).toEqual([
      {
        ...{ id: atRoot, kind: 'picture', name: 'fox.png', folder_id: null, width: 640, height: 400, duration: null },
        is_prepared: true,
        placeholder: expect.any(String),
        thumbnails: expect.arrayContaining([expect.objectContaining({ url: expect.stringContaining('/files/') })]),
        ...{ url: null, is_playable: false, decision: 'none', comments_count: 0 },
        ...{ version: 1, versions: [atRoot], digital_source_type: null },
      },
    ]);
    expect(await idsOf(guest, `?limit=2&cursor=${media.body.next_cursor}`)).toEqual([inOuter, inInner]);
    expect(await idsOf(guest, '?folder_id=null')).toEqual([atRoot]);
    expect(await idsOf(guest, `?folder_id=${inner}`)).toEqual([inInner]);
  });

  it('sees of a shared folder what is in it now, and of shared items these', async () => {
    const folder = guestOf(await share({ folder_id: outer }));
    expect((await folder('GET')).body.share).toMatchObject({
      name: 'Outer',
      folders: [{ id: inner, parent_id: null, name: 'Inner' }],
    });
    expect(await idsOf(folder)).toEqual([inOuter, inInner]);
    expect(await idsOf(folder, '?folder_id=null')).toEqual([inOuter]);
    const items = guestOf(await share({ media_ids: [atRoot, inInner] }));
    expect((await items('GET')).body.share.folders).toEqual([]);
    expect((await items('GET', '/media')).body.media).toMatchObject([
      { id: atRoot, folder_id: null },
      { id: inInner, folder_id: null },
    ]);
    await call('PUT', `/v2/boards/${board}/media/${inOuter}/move`, { json: { folder_id: null } });
    await call('PUT', `/v2/boards/${board}/media/${atRoot}/move`, { json: { folder_id: inner } });
    expect(await idsOf(folder)).toEqual([atRoot, inInner]);
    expect(await idsOf(folder, `?folder_id=${outer}`)).toEqual([]);
  });

  it('finds a link that is unknown, expired, switched off or of a deleted board nowhere, all alike', async () => {
    const [off, expired, deleted] = [
      await share({ folder_id: outer }),
      await share({ board_id: board }),
      await share({ board_id: board, password: 'secret' }),
    ];
    await call('DELETE', `/v2/shares/${off.id}`);
    await service.database.query(`update shares set expires_at = now() - interval '1 second' where id = ${expired.id}`);
    await call('DELETE', `/v2/boards/${board}`);
    const unknown = { id: 0, path: `/v2/shared/x12_${'a'.repeat(43)}` };
    const responses = await Promise.all(
      [off, expired, deleted, unknown, { id: 0, path: '/v2/shared/x' }].flatMap((link) => [
        guestOf(link)('GET'),
        guestOf(link)('GET', '/media'),
        guestOf(link)('POST', '/enter', { password: 'secret' }),
      ]),
    );
    const seen = responses.map(({ status, headers, body }) => {
      const { request_id: _, ...rest } = body;
      return JSON.stringify([status, rest, headers.get('x-robots-tag')]);
    });
    expect([...new Set(seen)]).toEqual([
      JSON.stringify([404, { status: false, code: 'not_found', message: 'no such share' }, 'noindex']),
    ]);
  });

  it('loses sight of what is deleted, and sees it again when it is restored', async () => {
    const [whole, folder, items] = [
      guestOf(await share({ board_id: board })),
      guestOf(await share({ folder_id: outer })),
      guestOf(await share({ media_ids: [atRoot] })),
    ];
    const restoreAll = async () => {
      for (const { id } of (await call('GET', '/v2/trash')).body.trash) await call('POST', `/v2/trash/${id}/restore`);
    };
    await call('DELETE', `/v2/boards/${board}/media/${atRoot}`);
    expect(await idsOf(whole)).toEqual([inOuter, inInner]);
    expect((await items('GET')).status).toBe(404);
    await call('DELETE', `/v2/boards/${board}/folders/${outer}`);
    expect(await idsOf(whole)).toEqual([]);
    expect((await folder('GET')).status).toBe(404);
    await restoreAll();
    await call('DELETE', `/v2/boards/${board}`);
    for (const guest of [whole, folder, items]) expect((await guest('GET')).status).toBe(404);
    await restoreAll();
    expect([await idsOf(whole), await idsOf(folder), await idsOf(items)]).toEqual([
      ...[[atRoot, inOuter, inInner], [inOuter, inInner], [atRoot]],
    ]);
  });
});

describe('a password', () => {
  it('is asked for before anything is shown, and then remembered by a cookie for this link', async () => {
    const link = await share({ board_id: board, password: 'secret' });
    const guest = guestOf(link);
    for (const below of ['', '/media', '/zip'])
      expect(outcome(await guest('GET', below))).toEqual([401, 'share_password_required']);
    expect(outcome(await guest('POST', '/enter'))).toEqual([401, 'share_password_required']);
    expect(outcome(await guest('POST', '/enter', { password: 'Secret' }))).toEqual([401, 'share_password_required']);
    const entered = await guest('POST', '/enter', { password: 'secret' });
    expect([entered.status, entered.body.share.name]).toEqual([200, 'Summer']);
    expect(entered.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^x12_guest_${link.id}=[^;]+; Max-Age=\\d+; Path=${link.path}; Expires=[^;]+; HttpOnly; SameSite=Lax$`,
      ),
    );
    expect(await idsOf(guest)).toHaveLength(3);
    const other = await share({ board_id: board, password: 'secret' });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!.replace(`_${link.id}=`, `_${other.id}=`);
    expect((await service.call('GET', other.path, { headers: { cookie } })).status).toBe(401);
  });

  it('that is changed ends what guests see at once, and the same guest enters again', async () => {
    const link = await share({ board_id: board, password: 'secret', allow: everything });
    const guest = guestOf(link);
    await guest('POST', '/enter', { password: 'secret', name: 'Grace' });
    const { comment } = (await guest('POST', `/media/${atRoot}/comments`, { text: 'warmer' })).body;
    await call('PUT', `/v2/shares/${link.id}`, { json: { password: 'another' } });
    for (const each of [
      guest('GET'),
      guest('GET', '/media'),
      guest('POST', `/media/${atRoot}/comments`, { text: 'x' }),
    ]) {
      expect(outcome(await each)).toEqual([401, 'share_password_required']);
    }
    expect((await guest('POST', '/enter', { password: 'secret' })).status).toBe(401);
    expect((await guest('POST', '/enter', { password: 'another' })).body.guest).toEqual({ name: 'Grace' });
    const changed = await guest('PUT', `/media/${atRoot}/comments/${comment.id}`, { text: 'cooler' });
    expect(changed.body.comment).toMatchObject({ text: 'cooler', author: { is_you: true } });
    await call('PUT', `/v2/shares/${link.id}`, { json: { password: null } });
    expect((await guestOf(link)('GET')).status).toBe(200);
  });

  it('that is right enters for thirty guests of an address at once', async () => {
    const link = await share({ board_id: board, password: 'secret' });
    const guests = Array.from({ length: 30 }, () => guestOf(link));
    const entered = await Promise.all(guests.map((guest) => guest('POST', '/enter', { password: 'secret' })));
    expect(entered.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect((await guestOf(link)('POST', '/enter', { password: 'wrong' })).status).toBe(401);
  });

  it('that is wrong makes the address wait longer each time, for this link', async () => {
    const [one, two, open] = [
      await share({ board_id: board, password: 'secret' }),
      await share({ board_id: board, password: 'secret' }),
      await share({ board_id: board }),
    ];
    const known = guestOf(one);
    expect((await known('POST', '/enter', { password: 'secret' })).status).toBe(200);
    const notTried = [401, 'share_password_required'];
    expect(outcome(await guestOf(one)('POST', '/enter', { name: 'Ann' }))).toEqual(notTried);
    expect((await guestOf(one)('POST', '/enter', { password: 'guess' })).status).toBe(401);
    const failed = `update rate_limits set points = 15 where key like 'failures:guest-password:link%' returning points`;
    expect(await service.database.query(failed)).toHaveLength(1);
    expect((await guestOf(one)('POST', '/enter', { password: 'guess' })).status).toBe(401);
    const refused = await guestOf(one)('POST', '/enter', { password: 'secret' });
    expect(outcome(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    // It refuses nothing but guesses at this link.
    expect((await guestOf(two)('POST', '/enter', { password: 'secret' })).status).toBe(200);
    expect((await guestOf(open)('POST', '/enter', { name: 'Ann', password: 'not asked for' })).status).toBe(200);
    expect((await known('POST', '/enter', { name: 'Ann' })).status).toBe(200);
    expect(outcome(await guestOf(one)('POST', '/enter', { name: 'Ann' }))).toEqual(notTried);
  });
});

describe('the review of a guest', () => {
  it('ends with one summary, by the guest or with the last decision', async () => {
    const items = [inInner, atRoot];
    const link = await share({ media_ids: items, allow: ['comment', 'decide'] });
    const guest = guestOf(link);
    const summaries = async () => {
      const { body } = await call('GET', `/v2/events?types=review.summary&subject=share:${link.id}`);
      return body.events.map(({ data }: { data: object }) => data);
    };
    expect(outcome(await guest('POST', '/done'))).toEqual([409, 'guest_name_required']);
    await guest('POST', '/enter', { name: 'Mia' });
    await guest('PUT', `/media/${items[0]}/decision`, { decision: 'changes_requested', text: 'warmer' });
    expect((await guest('POST', '/done')).body).toEqual({ status: true });
    await guest('POST', '/done');
    const first = { guest: 'Mia', approved: 0, changes_requested: 1, undecided: 1, comments: 0 };
    await eventually(async () => (await summaries()).length > 0);
    expect(await summaries()).toEqual([first]);
    await guest('PUT', `/media/${items[1]}/decision`, { decision: 'approved' });
    await guest('POST', '/done');
    await eventually(async () => (await summaries()).length > 1);
    expect(await summaries()).toEqual([first, { ...first, approved: 1, undecided: 0 }]);
    const looking = guestOf(await share({ media_ids: items }));
    await looking('POST', '/enter', { name: 'Ann' });
    expect(outcome(await looking('POST', '/done'))).toEqual([403, 'forbidden']);
  });

  it('has a name, and reaches the members with the link', async () => {
    const link = await share({ board_id: board, allow: everything });
    const guest = guestOf(link);
    const on = `/media/${atRoot}`;
    expect(outcome(await guest('POST', `${on}/comments`, { text: 'warmer' }))).toEqual([409, 'guest_name_required']);
    expect(outcome(await guest('PUT', `${on}/decision`, { decision: 'approved' }))).toEqual([
      409,
      'guest_name_required',
    ]);
    expect((await guest('POST', '/enter', { name: ' Grace ' })).body.guest).toEqual({ name: 'Grace' });
    const drawing = [{ color: '#c04030', width: 0.01, points: Array.from({ length: 1_500 }, () => [0.25, 1]) }];
    const created = await guest('POST', `${on}/comments`, { text: '@all <b>warmer</b>', x: 0.5, y: 0.25, drawing });
    expect([created.status, created.body.comment]).toEqual([
      201,
      {
        ...{
          id: expect.any(Number),
          parent_id: null,
          text: '@all <b>warmer</b>',
          x: 0.5,
          y: 0.25,
          time: null,
          drawing,
        },
        author: { name: 'Grace', is_guest: true, is_you: true },
        ...{ created_at: expect.any(String), edited_at: null, resolved_at: null },
      },
    ]);
    const decided = await guest('PUT', `${on}/decision`, { decision: 'approved', text: 'yes' });
    expect(decided.body.decision).toMatchObject({
      decision: 'approved',
      text: 'yes',
      author: { name: 'Grace', is_you: true },
    });
    const author = { user_id: null, name: 'Grace', share_id: link.id };
    const members = await call('GET', `/v2/boards/${board}/media/${atRoot}/comments`);
    expect(members.body.comments).toMatchObject([{ author, text: '@all <b>warmer</b>', mentions: [] }]);
    expect((await call('GET', `/v2/boards/${board}/media/${atRoot}/decisions`)).body.decisions).toMatchObject([
      { author },
    ]);
    expect((await guest('GET', '/media?limit=1')).body.media[0]).toMatchObject({
      decision: 'approved',
      comments_count: 1,
    });
    await call('DELETE', `/v2/shares/${link.id}`);
    const after = await call('GET', `/v2/boards/${board}/media/${atRoot}/comments`);
    expect(after.body.comments).toMatchObject([{ author: { ...author, share_id: null } }]);
  });

  it('is refused for an unknown item or comment, and for a comment of others, before its fields are read', async () => {
    const guest = guestOf(await share({ board_id: board, allow: everything }));
    await guest('POST', '/enter', { name: 'Grace' });
    const theirs = (await call('POST', `/v2/boards/${board}/media/${atRoot}/comments`, { json: { text: 'ours' } })).body
      .comment;
    const own = (await guest('POST', `/media/${atRoot}/comments`, { text: 'mine' })).body.comment;
    const seen = async (method: string, below: string, json: object) => (await guest(method, below, json)).status;
    expect([
      await seen('PUT', '/media/999999/decision', { decision: 'x' }),
      await seen('POST', '/media/999999/comments', { text: '' }),
      await seen('PUT', `/media/${atRoot}/comments/999999`, { text: '' }),
      await seen('PUT', `/media/${atRoot}/comments/${theirs.id}`, { text: '' }),
      await seen('PUT', `/media/${atRoot}/comments/${own.id}`, { text: '' }),
      await seen('PUT', `/media/${atRoot}/decision`, { decision: 'x' }),
    ]).toEqual([404, 404, 404, 403, 400, 400]);
    const looking = guestOf(await share({ board_id: board }));
    expect((await looking('PUT', `/media/${atRoot}/decision`, { decision: 'x' })).status).toBe(403);
    const page = (await guest('GET', `/media/${atRoot}/comments?limit=1`)).body;
    expect(page.comments).toMatchObject([{ id: theirs.id, author: { is_guest: false, is_you: false } }]);
    expect((await guest('GET', `/media/${atRoot}/comments?cursor=${page.next_cursor}`)).body).toMatchObject({
      ...{ comments: [{ id: own.id }], next_cursor: null },
    });
  });

  it('needs what the link allows, and the item to be on it', async () => {
    const link = await share({ folder_id: outer });
    const guest = guestOf(link);
    await guest('POST', '/enter', { name: 'Grace' });
    for (const each of [
      guest('GET', `/media/${inOuter}/comments`),
      guest('POST', `/media/${inOuter}/comments`, { text: 'x' }),
      guest('PUT', `/media/${inOuter}/decision`, { decision: 'approved' }),
      guest('GET', '/zip'),
    ]) {
      expect(outcome(await each)).toEqual([403, 'forbidden']);
    }
    await call('PUT', `/v2/shares/${link.id}`, { json: { allow: everything } });
    expect((await guest('POST', `/media/${inOuter}/comments`, { text: 'x' })).status).toBe(201);
    for (const each of [
      guest('GET', `/media/${atRoot}/comments`),
      guest('POST', `/media/${atRoot}/comments`, { text: 'x' }),
      guest('PUT', `/media/${atRoot}/decision`, { decision: 'approved' }),
    ]) {
      expect(outcome(await each)).toEqual([404, 'not_found']);
    }
  });

  it('has texts of 4,000 characters, and no more', async () => {
    const link = await share({ board_id: board, allow: ['comment', 'decide'] });
    const entered = await service.call('POST', `${link.path}/enter`, { json: { name: 'Grace' } });
    const headers = { cookie: entered.headers.get('set-cookie')!.split(';')[0]!, 'content-type': 'application/json' };
    const send = async (method: string, path: string, text: string, more: object = {}) => {
      const hex = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      // The longest way to write it.
      const body = JSON.stringify({ text, ...more }).replaceAll(/[^ -~]/g, hex);
      const response = await fetch(`${service.baseUrl}${link.path}/media/${atRoot}${path}`, { method, headers, body });
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    const text = '🦊'.repeat(4_000);
    expect(await send('POST', '/comments', text)).toEqual([201, undefined]);
    expect(await send('PUT', '/decision', text, { decision: 'approved' })).toEqual([200, undefined]);
    expect(await send('POST', '/comments', `${text}🦊`)).toEqual([400, 'validation_failed']);
    expect(await send('POST', '/comments', 'ж'.repeat(33_000))).toEqual([413, 'too_large']);
  });

  it('has thirty comments an hour from an address: what is refused does not count', async () => {
    const guest = guestOf(await share({ board_id: board, allow: ['comment'] }));
    await guest('POST', '/enter', { name: 'Grace' });
    const comment = (text = 'again', id = atRoot) => guest('POST', `/media/${id}/comments`, { text });
    for (let count = 0; count < 5; count++) {
      expect([(await comment('')).status, (await comment('x', 999_999)).status]).toEqual([400, 404]);
    }
    for (let count = 0; count < 30; count++) expect((await comment()).status).toBe(201);
    expect(outcome(await comment())).toEqual([429, 'rate_limited']);
  });

  it('has a thousand decisions an hour from an address', async () => {
    const guest = guestOf(await share({ board_id: board, allow: ['decide'] }));
    await guest('POST', '/enter', { name: 'Grace' });
    const decide = () => guest('PUT', `/media/${atRoot}/decision`, { decision: 'approved' });
    expect((await decide()).status).toBe(200);
    const spent = `update rate_limits set points = $1 where key like '%guest-decisions%' returning points`;
    expect(await service.database.query(spent, [999])).toHaveLength(1);
    expect((await decide()).status).toBe(200);
    expect(outcome(await decide())).toEqual([429, 'rate_limited']);
  });
});

it('a zip for guests has the originals in their folders, and a list of names and digital sources alone', async () => {
  const { path } = await share({ folder_id: outer, allow: ['download'] });
  const response = await fetch(`${service.baseUrl}${path}/zip`);
  expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
  const zip = await documentsIn(Buffer.from(await response.arrayBuffer()));
  expect(Object.keys(zip).sort()).toEqual(['Inner/fox.png', 'fox.png', 'index.csv']);
  expect(zip['index.csv']).toBe('\ufeffname,digital_source_type\r\nInner/fox.png,\r\nfox.png,\r\n');
  const some = await fetch(`${service.baseUrl}${path}/zip?media_ids=${inOuter},${atRoot}`);
  expect(Object.keys(await documentsIn(Buffer.from(await some.arrayBuffer()))).sort()).toEqual([
    'fox.png',
    'index.csv',
  ]);
  expect((await fetch(`${service.baseUrl}${path}/zip?media_ids=${atRoot}`)).status).toBe(400);
});

it('a video is played by guests who may not download it as a smaller one, with the watermark of the link', async () => {
  const film = await uploaded(service, user, 'film.mp4', await aVideo({ width: 1_280, height: 720, seconds: 1 }));
  const size = (await (await fetch(film)).arrayBuffer()).byteLength;
  const { id } = (await call('POST', `/v2/boards/${board}/media`, { json: { url: film } })).body.media;
  const link = await share({ board_id: board, password: 'secret' });
  const guest = guestOf(link);
  const entered = await guest('POST', '/enter', { password: 'secret' });
  const item = async (mediaId: number) =>
    (await guest('GET', '/media')).body.media.find((each: { id: number }) => each.id === mediaId);
  await eventually(async () => (await item(id))?.is_playable);
  expect(await item(id)).toMatchObject({ kind: 'video', url: null, is_prepared: true });
  expect((await item(atRoot)).is_playable).toBe(false);
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const play = async (mediaId: number, headers: Record<string, string>) => {
    const response = await fetch(`${service.baseUrl}${link.path}/media/${mediaId}/video`, { headers });
    const { byteLength } = await response.arrayBuffer();
    const shown = ['content-type', 'content-disposition', 'cache-control', 'x-robots-tag', 'content-range'];
    return [response.status, byteLength, ...shown.map((name) => response.headers.get(name))];
  };
  const asVideo = ['video/mp4', 'inline', 'no-store', 'noindex'];
  const [status, clipped, ...rest] = await play(id, { cookie });
  expect([status, ...rest]).toEqual([200, ...asVideo, null]);
  expect(clipped).not.toBe(size);
  const part = await play(id, { cookie, range: 'bytes=10-19' });
  expect(part).toEqual([206, 10, ...asVideo, `bytes 10-19/${clipped}`]);
  expect([(await play(atRoot, { cookie }))[0], (await play(id, {}))[0]]).toEqual([404, 401]);
  await service.stopWorker();
  await call('PUT', `/v2/shares/${link.id}`, { json: { watermark: 'Draft' } });
  expect(await item(id)).toMatchObject({ is_prepared: false, is_playable: false });
  expect((await play(id, { cookie }))[0]).toBe(404);
  await service.startWorker();
  await eventually(async () => (await item(id)).is_playable);
  expect((await play(id, { cookie }))[0]).toBe(200);
  await call('PUT', `/v2/shares/${link.id}`, { json: { watermark: null, allow: ['download'] } });
  expect((await play(id, { cookie }))[1]).toBe(size);
});

describe('a label', () => {
  it("has the operator's text or another, and is shown in copies alone", async () => {
    const link = await share({ board_id: board, allow: ['download'], label: true });
    const change = async (label: unknown) => (await call('PUT', `/v2/shares/${link.id}`, { json: { label } })).body;
    expect((await call('GET', `/v2/shares/${link.id}`)).body.share.label).toBe('AI-generated');
    const guest = guestOf(link);
    expect((await guest('GET')).body.share).toMatchObject({ has_label: true, has_watermark: false });
    expect((await guest('GET', '/media')).body.media[0]).toMatchObject({ url: null });
    expect((await change(' Made with AI ')).share.label).toBe('Made with AI');
    expect((await change(false)).share.label).toBeNull();
    expect((await guest('GET', '/media')).body.media[0].url).toEqual(expect.any(String));
    expect((await change('x'.repeat(61))).errors).toHaveProperty('label');
  });
});

describe('a watermark', () => {
  it('is on everything that guests get, once the worker has made it', async () => {
    await service.stopWorker();
    const link = await share({ board_id: board, allow: everything, watermark: 'Draft' });
    const guest = guestOf(link);
    const before = (await guest('GET', '/media')).body.media;
    expect(before).toMatchObject(Array(3).fill({ is_prepared: false, thumbnails: [], url: null }));
    await service.startWorker();
    await eventually(async () =>
      (await guest('GET', '/media')).body.media.every((each: { is_prepared: boolean }) => each.is_prepared),
    );
    const all = (await call('GET', `/v2/boards/${board}`)).body.board.media;
    const plain = all.flatMap((each: { url: string; thumbnails: { url: string }[] }) => [
      each.url,
      ...each.thumbnails.map((one) => one.url),
    ]);
    const seen = JSON.stringify([(await guest('GET')).body, (await guest('GET', '/media')).body]);
    for (const each of plain) expect(seen).not.toContain(new URL(each).pathname);
    const [first] = (await guest('GET', '/media')).body.media;
    expect(first.thumbnails).toMatchObject([
      { width: 320, height: 200 },
      { width: 640, height: 400 },
    ]);
    const { channels } = await sharp(await (await fetch(first.thumbnails[1].url)).arrayBuffer()).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(3);
    const zip = await documentsIn(Buffer.from(await (await fetch(`${service.baseUrl}${link.path}/zip`)).arrayBuffer()));
    expect(Object.keys(zip).sort()).toEqual(['Outer/Inner/fox.webp', 'Outer/fox.webp', 'fox.webp', 'index.csv']);
  });

  it('leaves nothing out of the zip silently: what is not made stands in a list', async () => {
    await service.stopWorker();
    const link = await share({ folder_id: outer, allow: ['download'], watermark: 'Draft' });
    const response = await fetch(`${service.baseUrl}${link.path}/zip`);
    const title = "These files are not made yet, or can't be made. Download them again later:";
    expect(await documentsIn(Buffer.from(await response.arrayBuffer()))).toEqual({
      'index.csv': '\ufeffname,digital_source_type\r\n',
      'MISSING.txt': [title, 'Inner/fox.webp', 'fox.webp', ''].join('\r\n'),
    });
    await service.startWorker();
  });
});
