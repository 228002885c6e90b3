import { describe, expect, it } from '@jest/globals';
import { afterCall, allowanceOf, standingOf, waitSeconds, type CallRecord } from './standing.ts';

const at = new Date('2026-03-14T09:26:53.000Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
const failed = (times: number): CallRecord => ({ failures: times, at });
const failing = (failures: number) => ({ kind: 'failing', failures }) as const;

describe('a host that does not respond', () => {
  it('gets half the places and half the patience each time, down to one place and two seconds', () => {
    const allowances = [1, 2, 3, 4, 9, 2_000].map((failures) => allowanceOf(failing(failures), 32));
    expect(allowances.map(({ ofHost }) => ofHost)).toEqual([8, 4, 2, 1, 1, 1]);
    expect(allowances.map(({ patienceSeconds }) => patienceSeconds)).toEqual([7.5, 3.75, 2, 2, 2, 2]);
  });

  it.each([
    [32, 8],
    [8, 2],
    [3, 1],
  ])('shares a quarter of %d places with all others that do not, one for each workspace', (places, quarter) => {
    expect(allowanceOf(failing(1), places)).toMatchObject({ ofKind: quarter, ofWorkspace: 1 });
  });

  it('loses its standing by one call, has it again by one response, and its whole patience after five minutes', () => {
    const answered = afterCall(failed(3), true, at);
    expect(standingOf(answered, undefined, later(86_400))).toEqual({ kind: 'good' });
    const silent = afterCall(answered, false, at);
    expect(standingOf(silent, undefined, at)).toEqual(failing(1));
    expect(afterCall(silent, false, later(299))).toEqual({ failures: 2, at: later(299) });
    expect(afterCall(silent, false, later(300))).toEqual({ failures: 1, at: later(300) });
    expect(standingOf(silent, undefined, later(299))).toEqual(failing(1));
    expect(standingOf(silent, undefined, later(300))).toEqual({ kind: 'new' });
  });
});

describe('a host that nothing is known of', () => {
  it('has the whole patience, but one place for each workspace, and half of all with others like it', () => {
    const allowance = { ofHost: 8, ofKind: 16, ofWorkspace: 1, patienceSeconds: 15 };
    expect(allowanceOf(standingOf(undefined, undefined, at), 32)).toEqual(allowance);
  });

  it('has the standing of a workspace whose hosts do not respond, and no better one of a workspace whose hosts do', () => {
    expect(standingOf(undefined, failed(2), at)).toEqual(failing(2));
    expect(standingOf(undefined, failed(2), later(300))).toEqual({ kind: 'new' });
    expect(standingOf(undefined, failed(0), at)).toEqual({ kind: 'new' });
  });
});

describe('a host that responds', () => {
  it('has 15 seconds and a quarter of the places, whatever the other hosts of the workspace do', () => {
    const standing = standingOf(failed(0), failed(5), at);
    expect(allowanceOf(standing, 32)).toEqual({ ofHost: 8, ofKind: 32, ofWorkspace: 32, patienceSeconds: 15 });
  });
});

it('calls that find no place come back one by one, after 15 seconds at most', () => {
  expect([0, 1, 2, 56, 1_000].map(waitSeconds)).toEqual([1, 1.25, 1.5, 15, 15]);
});
