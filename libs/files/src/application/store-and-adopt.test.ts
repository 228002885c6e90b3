import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { contentOf, InMemoryObjectStorage, storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import type { FileToStore, StoredFile } from '../index.ts';

let room: UploadRoom;
beforeEach(async () => {
  room = await uploadRoom();
});

const urlOf = (file: StoredFile) => room.storage.publicUrl(file.key);
const contentAt = async (file: StoredFile) => (await contentOf(await room.storage.open(file.key))).toString();
const adopt = (url: string) => room.adoptFile.run({ workspaceId: room.actor.workspaceId, url });

function picture(differences: { personaId?: number | null; filename?: string } = {}): FileToStore {
  return {
    workspaceId: room.actor.workspaceId,
    personaId: room.personaId,
    origin: 'import',
    filename: 'photo.png',
    contentType: 'image/png',
    bytes: Buffer.from('image/png'),
    ...differences,
  };
}

describe('storing a file', () => {
  it('publishes bytes and records them', async () => {
    const file = await room.storeFile.run(picture());
    expect(file).toMatchObject({
      personaId: room.personaId,
      origin: 'import',
      filename: 'photo.png',
      size: 9,
      contentType: 'image/png',
      expiresAt: null,
    });
    expect(await contentAt(file)).toBe('image/png');
    expect(await room.store.files.find(file.id)).toEqual(file);
  });

  it('takes a file of this machine', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'x12-store-'));
    try {
      const path = join(folder, 'output');
      await writeFile(path, 'video/mp4 from a file');
      const file = await room.storeFile.run({
        workspaceId: room.actor.workspaceId,
        personaId: room.personaId,
        origin: 'output',
        filename: 'out.mp4',
        contentType: 'video/mp4',
        file: path,
      });
      expect(await contentAt(file)).toBe('video/mp4 from a file');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('never makes a file that looks temporary', async () => {
    const file = await room.storeFile.run(picture({ filename: 'x12tmp-photo.png' }));
    expect(file).toMatchObject({ filename: 'photo.png', expiresAt: null });
  });

  it('leaves nothing when the bytes can not be published, once the sweep was there', async () => {
    const storage = new (class extends InMemoryObjectStorage {
      override async put(...args: Parameters<InMemoryObjectStorage['put']>): Promise<never> {
        await super.put(...args);
        throw new Error('the answer was lost');
      }
    })(room.clock);
    room = await uploadRoom({ storage, clock: room.clock });
    await expect(room.storeFile.run(picture())).rejects.toThrow('the answer was lost');
    expect(await storedKeys(storage)).toHaveLength(1);
    room.clock.advance(3_601);
    expect(await room.sweepFiles.run()).toMatchObject({ deleted: 1 });
    expect(await storedKeys(storage)).toEqual([]);
  });

  it('is undone by the sweep when nobody refers to the file within an hour', async () => {
    const [forgotten, used] = [await room.storeFile.run(picture()), await room.storeFile.run(picture())];
    await room.store.refer('training', used.id);
    room.clock.advance(3_599);
    expect(await room.sweepFiles.run()).toMatchObject({ deleted: 0 });
    room.clock.advance(1);
    expect(await room.sweepFiles.run()).toMatchObject({ deleted: 1 });
    expect(await room.store.files.find(forgotten.id)).toBeNull();
    expect(await storedKeys(room.storage)).toEqual([used.key]);
  });
});

describe('adopting a file', () => {
  it('answers null for a URL that is none of our files', async () => {
    expect(await adopt('https://example.com/photo.png')).toBeNull();
    expect(await adopt('nonsense')).toBeNull();
  });

  it('answers a permanent file as it is', async () => {
    const { file, url } = await room.save('photo.png', 'image/png');
    expect(await adopt(url)).toEqual(file);
    expect(await adopt(`${url}?again`)).toEqual(file);
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });

  it('answers a permanent copy of a temporary file, that lives on without it', async () => {
    const { file, url } = await room.save('x12tmp-photo.png', 'image/png once');
    const copy = await adopt(url);
    expect(copy).toMatchObject({
      workspaceId: room.actor.workspaceId,
      personaId: null,
      origin: 'import',
      filename: 'photo.png',
      size: file.size,
      contentType: file.contentType,
      expiresAt: null,
    });
    await room.store.refer('training', copy!.id);
    room.clock.advance(43_200);
    await room.sweepFiles.run();
    expect(await room.store.files.find(file.id)).toBeNull();
    expect(await contentAt(copy!)).toBe('image/png once');
    expect((room.storage as InMemoryObjectStorage).headersOf(copy!.key)).toEqual({
      contentType: 'image/png',
      cacheControl: 'public, max-age=315360000, immutable',
    });
    expect(await adopt(urlOf(copy!))).toEqual(copy);
  });

  it('is refused for a temporary file whose time is over, before and after the sweep', async () => {
    const { url } = await room.save('x12tmp-photo.png', 'image/png');
    room.clock.advance(43_200);
    await expect(adopt(url)).rejects.toMatchObject({ code: 'file_expired' });
    await room.sweepFiles.run();
    await expect(adopt(url)).rejects.toMatchObject({ code: 'file_expired' });
  });

  it('is refused for a file that is unknown, not finalized, or of another workspace, which look alike', async () => {
    const { finalUrl } = await room.send('photo.png', 'image/png');
    const { url } = await room.save('photo.png', 'image/png');
    const stranger = await room.store.newWorkspace();
    const refusals = [
      adopt(finalUrl),
      adopt(url.replace('photo', 'another')),
      room.adoptFile.run({ workspaceId: stranger.workspaceId, url }),
    ];
    for (const refusal of refusals) {
      await expect(refusal).rejects.toMatchObject({ code: 'not_found', message: 'no such file' });
    }
  });
});
