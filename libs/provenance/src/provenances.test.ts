import { expect, it } from '@jest/globals';
import { Provenances } from './provenances.ts';

it('receives two files at a time, and one of each workspace', async () => {
  const provenances = new Provenances({} as never);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const check = (workspaceId: number) => {
    const receive = () => {
      begun.push(workspaceId);
      return new Promise<never>((_, reject) => ends.push(() => reject(new Error(`end of ${workspaceId}`))));
    };
    return provenances.check(workspaceId, receive).catch((error: Error) => error.message);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const checks = [1, 1, 2, 3].map(check);
  await settled();
  expect(begun).toEqual([1, 2]);
  for (const expected of [
    [1, 2, 3],
    [1, 2, 3, 1],
  ]) {
    ends.shift()!();
    await settled();
    expect(begun).toEqual(expected);
  }
  for (const end of ends) end();
  expect(await Promise.all(checks)).toEqual(['end of 1', 'end of 1', 'end of 2', 'end of 3']);
});

it('refuses the sixth file of a workspace at once, before it is received', async () => {
  const provenances = new Provenances({} as never);
  let received = 0;
  const checks = Array.from({ length: 6 }, () =>
    provenances.check(1, () => {
      received++;
      return Promise.reject(new Error('received'));
    }),
  );
  const ends = await Promise.allSettled(checks);
  const refused = ends.map((end) => end.status === 'rejected' && (end.reason as { code?: string }).code);
  expect(refused).toEqual([...Array.from({ length: 5 }, () => undefined), 'unavailable']);
  expect(received).toBe(5);
});
