import { beforeEach, describe, expect, it } from '@jest/globals';
import { type UploadedFile, type UploadOptions, X12Error } from '#client';
import { newMemory } from '../testing/memory.ts';
import { isNews, totalsOf, type UploadEntry } from './entry.ts';
import { UploadCanceled, Uploads } from './uploads.ts';

const stored: UploadedFile = {
  url: 'http://x12.test/files/a/a.png',
  size: 3,
  content_type: 'image/png',
  expires_at: null,
  customer: null,
  metadata: null,
};

interface Sending extends PromiseWithResolvers<UploadedFile> {
  readonly name: string;
  readonly options: UploadOptions;
}

let sendings: Sending[];
/** The names of the files of each call. */
let allocations: string[][];
let browser: ReturnType<typeof newMemory>;
let uploads: Uploads;

beforeEach(() => {
  sendings = [];
  allocations = [];
  browser = newMemory();
  uploads = loaded();
});

/** The uploads of a user on a page that was loaded (again). */
function loaded(user = 1): Uploads {
  const page = new Uploads(
    ({ name }, options) => {
      const sending = { name, options, ...Promise.withResolvers<UploadedFile>() };
      options.signal!.addEventListener('abort', () => sending.reject(options.signal!.reason));
      sendings.push(sending);
      return sending.promise;
    },
    browser.memory,
    async (files) => {
      allocations.push(files.map(({ source }) => (source as File).name));
      if (files.some(({ source }) => (source as File).name.endsWith('.exe'))) throw new Error('no such type');
      for (const { state } of files) state.sent = [];
    },
  );
  page.belongTo(user);
  return page;
}

const soon = () => new Promise((resolve) => setTimeout(resolve));
const file = (name: string, text = 'abc') => new File([text], name);
const statuses = (of = uploads) => of.entries.get().map(({ status }) => status);

describe('uploads', () => {
  it('are sent three at once', async () => {
    for (const name of ['a.png', 'b.png', 'c.png', 'd.png']) uploads.add(file(name));
    expect(statuses()).toEqual(['sending', 'sending', 'sending', 'waiting']);
    sendings[1]!.resolve(stored);
    await soon();
    expect(statuses()).toEqual(['sending', 'done', 'sending', 'sending']);
    expect(sendings.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png', 'd.png']);
  });

  it('are allocated in one call if several wait, and one by one if that call is refused', async () => {
    for (const name of ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.exe']) uploads.add(file(name));
    expect(allocations).toEqual([]);
    for (const { resolve } of sendings.slice(0, 3)) resolve(stored);
    await soon();
    expect(allocations).toEqual([['d.png', 'e.png', 'f.exe']]);
    expect(sendings.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.exe']);
    expect(statuses()).toEqual(['done', 'done', 'done', 'sending', 'sending', 'sending']);
  });

  it('continue after a pause with the parts that were sent', async () => {
    const { id, finished } = uploads.add(file('a.png'), { personaId: 7, temporary: true });
    sendings[0]!.options.state!.sent = [0];
    uploads.pause(id);
    await soon();
    expect(statuses()).toEqual(['paused']);
    uploads.resume(id);
    expect(sendings[1]!.options).toMatchObject({ personaId: 7, temporary: true, state: { sent: [0] } });
    sendings[1]!.resolve(stored);
    expect(await finished).toBe(stored);
  });

  it('report progress, but not after a pause', () => {
    const { id } = uploads.add(file('a.png'));
    sendings[0]!.options.onProgress!({ sent: 2, total: 3 });
    expect(uploads.entries.get()[0]).toMatchObject({ sent: 2 });
    uploads.pause(id);
    sendings[0]!.options.onProgress!({ sent: 3, total: 3 });
    expect(uploads.entries.get()[0]).toMatchObject({ status: 'paused', sent: 2 });
  });

  it('retry the use of a stored file without sending it again', async () => {
    let uses = 0;
    const upload = uploads.add(file('a.png'), {
      then: () => {
        if (++uses === 1) throw new Error('the slot is gone');
      },
    });
    sendings[0]!.resolve(stored);
    await soon();
    expect(uploads.entries.get()[0]).toMatchObject({ status: 'failed', error: new Error('the slot is gone') });
    uploads.resume(upload.id);
    await upload.finished;
    expect({ uses, sent: sendings.length, statuses: statuses() }).toEqual({ uses: 2, sent: 1, statuses: ['done'] });
  });

  it('are tried again when the network is back, unless the service refused them', async () => {
    uploads.add(file('a.png'));
    uploads.add(file('b.exe'));
    sendings[0]!.reject(new X12Error('network_error', 'no network'));
    sendings[1]!.reject(new X12Error('unsupported_file_type', 'no such type'));
    await soon();
    uploads.resumeOnline();
    expect(statuses()).toEqual(['sending', 'failed']);
  });

  it('that failed are removed once their place is filled, but not uploads into other places', async () => {
    for (const place of ['slot 1', 'slot 2', 'slot 1']) uploads.add(file('a.png'), { place });
    for (const { reject } of sendings.slice(0, 2)) reject(new Error('no'));
    await soon();
    uploads.forgetFailed('slot 1');
    expect(uploads.entries.get()).toMatchObject([
      { place: 'slot 2', status: 'failed' },
      { place: 'slot 1', status: 'sending' },
    ]);
  });

  it('stop when they are removed', async () => {
    const { id, finished } = uploads.add(file('a.png'));
    uploads.remove(id);
    await expect(finished).rejects.toThrow(UploadCanceled);
    expect(sendings[0]!.options.signal!.aborted).toBe(true);
    expect(uploads.entries.get()).toEqual([]);
  });
});

describe('after the page was loaded again', () => {
  it('unfinished uploads continue with the same file and target', async () => {
    uploads.add(file('a.png'), { personaId: 7, temporary: true });
    uploads.add(file('done.png'));
    sendings[1]!.resolve(stored);
    await soon();
    const again = loaded();
    expect(again.entries.get()).toMatchObject([{ name: 'a.png', status: 'lost' }]);
    again.add(file('a.png'), { personaId: 8 });
    expect(again.entries.get()).toMatchObject([{ name: 'a.png', status: 'sending', personaId: 7, temporary: true }]);
  });

  it('refused uploads are gone, and uploads that the network interrupted are lost', async () => {
    uploads.add(file('a.png'));
    uploads.add(file('b.exe'));
    sendings[0]!.reject(new X12Error('network_error', 'no network'));
    sendings[1]!.reject(new X12Error('unsupported_file_type', 'no such type', { status: 415 }));
    await soon();
    const again = loaded();
    expect(again.entries.get()).toMatchObject([{ name: 'a.png', status: 'lost' }]);
  });

  it('another file of that name is another upload', () => {
    uploads.add(file('a.png'));
    const again = loaded();
    again.add(file('a.png', 'abcd'));
    expect(statuses(again)).toEqual(['lost', 'sending']);
  });

  it('nothing is left for another user', () => {
    uploads.add(file('a.png'));
    expect(loaded(2).entries.get()).toEqual([]);
  });

  it('no URL or signature was kept', () => {
    uploads.add(file('a.png'), { personaId: 7 });
    sendings[0]!.options.state!.ticket = { signed_url: 'http://x12.test/storage?signature=1' } as never;
    uploads.add(file('b.png'));
    expect([...browser.items.values()].join()).not.toMatch(/http|signature/);
  });
});

it('the totals count by bytes how far all are', () => {
  uploads.add(file('a.png', 'a'.repeat(99)));
  uploads.add(file('b.png', 'b'.repeat(299)));
  sendings[0]!.options.onProgress!({ sent: 100, total: 100 });
  expect(totalsOf(uploads.entries.get())).toEqual({ count: 2, done: 0, failed: 0, active: 2, progress: 0.25 });
  expect(totalsOf([])).toMatchObject({ count: 0, progress: 0 });
});

it('an upload is news again when it fails after the tray was closed, once', () => {
  const running = { id: 1, status: 'sending' } as UploadEntry;
  const failed = { ...running, status: 'failed' } as const;
  expect(isNews(running, new Map())).toBe(true);
  expect(isNews(running, new Map([[1, false]]))).toBe(false);
  expect(isNews(failed, new Map([[1, false]]))).toBe(true);
  expect(isNews(failed, new Map([[1, true]]))).toBe(false);
});
