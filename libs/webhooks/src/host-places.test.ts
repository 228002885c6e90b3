import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '#testing/kernel';
import { HostPlaces, type HostPlace } from './host-places.ts';

const clock = new ManualClock();
const open = () => new HostPlaces(32, clock);
const urlOf = (host: number | string) => `https://${host}.example.com/hook`;
const entered = (places: HostPlaces, host: number | string, workspaceId: number): HostPlace => {
  const place = places.enter(urlOf(host), workspaceId);
  if (typeof place === 'number') throw new Error(`no place for ${host}`);
  return place;
};
const respond = (places: HostPlaces, host: number | string, workspaceId: number) =>
  entered(places, host, workspaceId).leave(true);

describe('the places for webhooks', () => {
  it('are one for each workspace and host until that has responded', () => {
    const places = open();
    const first = entered(places, 'a', 1);
    expect(places.enter(urlOf('a'), 1)).toBe(1);
    expect(places.enter(urlOf('b'), 1)).toBe(1.25);
    entered(places, 'a', 2);
    first.leave(true);
    for (let call = 0; call < 7; call++) entered(places, 'a', 1);
    expect(places.enter(urlOf('a'), 1)).toBe(1);
  });

  it('are never all taken by hosts that hang, whatever their number: one that has responded finds a place', () => {
    const places = open();
    respond(places, 'good', 1_000);
    let taken = 0;
    for (let workspaceId = 1; workspaceId <= 100; workspaceId++) {
      if (typeof places.enter(urlOf(workspaceId), workspaceId) !== 'number') taken++;
    }
    expect(taken).toBe(16);
    expect(entered(places, 'good', 1_000).patienceSeconds).toBe(15);
  });

  it('are a quarter for the hosts that did not respond, and for new hosts of their workspaces', () => {
    const places = open();
    for (let workspaceId = 1; workspaceId <= 20; workspaceId++) entered(places, workspaceId, workspaceId).leave(false);
    let taken = 0;
    for (let workspaceId = 1; workspaceId <= 20; workspaceId++) {
      const place = places.enter(urlOf(`other-${workspaceId}`), workspaceId);
      if (typeof place !== 'number') taken++;
    }
    expect(taken).toBe(8);
    expect(entered(places, 'new', 1_000).patienceSeconds).toBe(15);
  });

  it('learn nothing from a call that was interrupted, and know what is no URL as one host', () => {
    const places = open();
    entered(places, 'a', 1).leave(null);
    expect(entered(places, 'a', 1).patienceSeconds).toBe(15);
    expect(typeof places.enter('not a URL', 2)).toBe('object');
  });
});
