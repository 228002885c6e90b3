import { describe, expect, it } from '@jest/globals';
import { afterCallOf, changedEndpoint, endpointState, subjectKey, takesEvent, type Endpoint } from './endpoint.ts';

const DAY_MS = 86_400_000;
const START = new Date('2026-11-01T00:00:00Z');
const after = (ms: number) => new Date(START.getTime() + ms);
const endpoint: Endpoint = {
  ...{ id: 7, workspaceId: 1, url: 'https://a.example.com', types: null, description: null, isActive: true },
  ...{ failingSince: null, lastError: null, createdAt: START, secret: 'whsec_', previous: null, rotatedAt: null },
};
const failed = (at: Date) => ({ at, status: 500, error: 'status_not_2xx', durationMs: 1 });
const succeeded = (at: Date) => ({ at, status: 204, error: null, durationMs: 1 });

describe('an endpoint', () => {
  it('gets the events of its types, and tests of itself alone', () => {
    const some = { id: 7, types: ['board.created'] as const };
    expect(takesEvent(some, { type: 'board.created', subjectId: '1' })).toBe(true);
    expect(takesEvent(some, { type: 'board.deleted', subjectId: '1' })).toBe(false);
    expect(takesEvent({ id: 7, types: null }, { type: 'board.deleted', subjectId: '1' })).toBe(true);
    expect(takesEvent(some, { type: 'test', subjectId: '7' })).toBe(true);
    expect(takesEvent({ id: 7, types: null }, { type: 'test', subjectId: '8' })).toBe(false);
  });

  it('gets the events of a board one after the other, also those about its items', () => {
    expect(subjectKey({ type: 'media.processed', subjectId: '3' })).toBe(
      subjectKey({ type: 'board.deleted', subjectId: '3' }),
    );
    expect(subjectKey({ type: 'board.deleted', subjectId: '3' })).not.toBe(
      subjectKey({ type: 'generation.failed', subjectId: '3' }),
    );
  });

  it('is disabled by a failure three days after the first one, without a success between', () => {
    const failing = afterCallOf(endpoint, failed(START));
    expect([endpointState(endpoint), endpointState(failing)]).toEqual(['active', 'failing']);
    expect(failing).toMatchObject({ failingSince: START, lastError: 'status_not_2xx' });
    expect(afterCallOf(failing, failed(after(3 * DAY_MS - 1)))).toMatchObject({ isActive: true, failingSince: START });
    expect(endpointState(afterCallOf(failing, failed(after(3 * DAY_MS))))).toBe('disabled');
    const recovered = afterCallOf(failing, succeeded(after(DAY_MS)));
    expect(recovered).toEqual(endpoint);
    expect(afterCallOf(recovered, failed(after(3 * DAY_MS)))).toMatchObject({ isActive: true });
  });

  it('begins anew when it is activated or gets another URL', () => {
    const disabled = { ...endpoint, isActive: false, failingSince: START, lastError: 'url_timeout' };
    expect(changedEndpoint(disabled, { isActive: true })).toEqual(endpoint);
    expect(changedEndpoint(disabled, { description: 'x' })).toMatchObject({ failingSince: START });
    const failing = { ...endpoint, failingSince: START };
    expect(changedEndpoint(failing, { url: 'https://b.example.com' })).toMatchObject({ failingSince: null });
    expect(changedEndpoint(failing, { isActive: true })).toMatchObject({ failingSince: START });
  });
});
