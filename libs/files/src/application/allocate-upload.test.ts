import { beforeEach, describe, expect, it } from '@jest/globals';
import { hoursAfter, uploadRoom, type UploadRoom } from '#testing/files';

let room: UploadRoom;
beforeEach(async () => {
  room = await uploadRoom();
});

describe('allocating an upload', () => {
  it('answers where to send the bytes, for how long, how, and where the file will be', async () => {
    const ticket = await room.allocateUpload.run(room.actor, { filename: 'A photo.JPG' });
    const now = room.clock.now();
    const token = /^https:\/\/files\.example\.com\/files\/([\w-]{16,})\/A%20photo\.JPG$/.exec(
      ticket.finalUrl,
    )?.[1];
    expect(token).toBeDefined();
    expect(new URL(ticket.signedUrl!).pathname).toBe(`/staging/${token}`);
    expect(ticket.expiresAt).toEqual(hoursAfter(now, 1));
    expect(ticket.headers).toEqual({
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'max-age=315360000',
      Expires: new Date(now.getTime() + 315_360_000_000).toUTCString(),
    });
  });

  it('answers a place for each part where the bytes come in parts', async () => {
    const ticket = await room.allocateUpload.run(room.actor, { filename: 'a.mp4', parts: 3 });
    expect(ticket.signedUrl).toBeNull();
    expect(new Set(ticket.partUrls).size).toBe(3);
    const whole = await room.allocateUpload.run(room.actor, { filename: 'a.mp4', parts: null });
    expect(whole.partUrls).toBeNull();
  });

  it('never answers the same place twice', async () => {
    const tickets = await Promise.all(
      [1, 2, 3].map(() => room.allocateUpload.run(room.actor, { filename: 'a.png' })),
    );
    expect(new Set(tickets.map((ticket) => ticket.finalUrl)).size).toBe(3);
    expect(new Set(tickets.map((ticket) => ticket.uploadId)).size).toBe(3);
  });

  it('tells an unknown persona from having none', async () => {
    const stranger = { ...room.actor, ...(await room.store.newWorkspace()) };
    const allocate = (personaId?: number | null) =>
      room.allocateUpload.run(stranger, { filename: 'a.png', personaId });
    await expect(allocate()).rejects.toMatchObject({ code: 'no_persona' });
    await expect(allocate(null)).rejects.toMatchObject({ code: 'no_persona' });
    await expect(allocate(room.personaId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
