import { describe, expect, it } from '@jest/globals';
import type { Query } from '@tanstack/react-query';
import { X12Error } from '#client';
import { Queries } from './query.ts';

const later = (query: Query) => (query.state.data === undefined ? 2000 : 1000);

describe('a query that a timer repeats', () => {
  it.each([
    ['goes on while it succeeds', null, 1000],
    ['goes on while the service is unavailable', 503, 1000],
    ['goes on while there is no response', 0, 1000],
    ['ends with a refusal: 401', 401, false],
    ['ends with a refusal: 403', 403, false],
    ['ends with a refusal: 404', 404, false],
    ['ends with a refusal: 410', 410, false],
  ])('%s', (_rule, status, pause) => {
    const error = status === null ? null : new X12Error('forbidden', 'no', { status });
    const query = { state: { data: 'read before', error } } as Query;
    for (const refetchInterval of [1000, later]) {
      const options = new Queries().defaultQueryOptions({ queryKey: ['some'], refetchInterval });
      expect((options.refetchInterval as typeof later)(query)).toBe(pause);
    }
  });

  it('is none without a timer', () => {
    expect(new Queries().defaultQueryOptions({ queryKey: ['some'] }).refetchInterval).toBe(undefined);
  });
});
