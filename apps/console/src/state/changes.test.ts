import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from '@jest/globals';
import { Changes } from './changes.ts';

const named = (name: string) => (before: readonly string[]) => [...before.filter((each) => each !== name), name];

/** A list on the service, and its cache. */
function setting() {
  const changes = new Changes<readonly string[]>('boards');
  const queries = new QueryClient();
  const service: string[] = ['a'];
  const queryKey = [{ _id: 'boardsList' }];
  const read = () => queries.fetchQuery({ queryKey, queryFn: () => [...service], staleTime: 0 });
  const shown = () => changes.shown(queries.getQueryData<string[]>(queryKey) ?? []);
  const isStale = () => queries.getQueryState(queryKey)?.isInvalidated;
  return { changes, queries, service, read, shown, isStale };
}

describe('a change', () => {
  it('is shown at once, also after a read meanwhile, and its stale queries are read again', async () => {
    const { changes, queries, service, read, shown, isStale } = setting();
    await read();
    const response = Promise.withResolvers<string>();
    const made = changes.make(queries, named('b'), () => response.promise);
    expect(shown()).toEqual(['a', 'b']);
    service[0] = 'A';
    await read();
    expect(shown()).toEqual(['A', 'b']);
    expect(isStale()).toBe(false);
    response.resolve('done');
    expect(await made).toBe('done');
    expect(isStale()).toBe(true);
  });

  it('is no longer shown after it was refused, while others are', async () => {
    const { changes, queries, read, shown, isStale } = setting();
    await read();
    changes.show(named('c'));
    const made = changes.make(queries, named('b'), () => Promise.reject(new Error('no')));
    expect(shown()).toEqual(['a', 'c', 'b']);
    await expect(made).rejects.toThrow('no');
    expect(shown()).toEqual(['a', 'c']);
    expect(isStale()).toBe(true);
  });
});
