import { describe, expect, it } from '@jest/globals';
import { GroupedCalls } from './grouped-calls.ts';

/** GroupedCalls whose calls are ended by hand; each resolves to its inputs doubled. */
function byHand(): {
  groups: GroupedCalls<number, number>;
  calls: (readonly number[])[];
  end(error?: Error): Promise<void>;
} {
  const calls: (readonly number[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const groups = new GroupedCalls<number, number>((inputs) => {
    calls.push(inputs);
    return new Promise((resolve, reject) =>
      ends.push((error) => (error ? reject(error) : resolve(inputs.map((input) => input * 2)))),
    );
  });
  return {
    groups,
    calls,
    end: async (error) => {
      ends.shift()!(error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('calls in groups', () => {
  it('go together when they are made in one turn, and each gets its own result', async () => {
    const { groups, calls, end } = byHand();
    const results = Promise.all([groups.add(1), groups.add(2), groups.add(3)]);
    await turn();
    expect(calls).toEqual([[1, 2, 3]]);
    await end();
    expect(await results).toEqual([2, 4, 6]);
  });

  it('wait for the current one, and share the next', async () => {
    const { groups, calls, end } = byHand();
    const first = groups.add(1);
    await turn();
    const others = [groups.add(2)];
    await turn();
    others.push(groups.add(3));
    expect(calls).toEqual([[1]]);
    await end();
    expect(await first).toBe(2);
    expect(calls).toEqual([[1], [2, 3]]);
    await end();
    expect(await Promise.all(others)).toEqual([4, 6]);
  });

  it('fail together, without the next group', async () => {
    const { groups, end } = byHand();
    const failing = Promise.allSettled([groups.add(1), groups.add(2)]);
    await turn();
    const next = groups.add(3);
    await end(new Error('no'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await end();
    expect(await next).toBe(6);
  });

  it('are a hundred at most', async () => {
    const { groups, calls, end } = byHand();
    const results = Promise.all(Array.from({ length: 101 }, (_, index) => groups.add(index)));
    await turn();
    await end();
    await end();
    await results;
    expect(calls.map((inputs) => inputs.length)).toEqual([100, 1]);
  });
});
