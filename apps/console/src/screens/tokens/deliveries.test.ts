import { expect, it } from '@jest/globals';
import { causeOf, outcomeOf, pauseBeforeReading } from './deliveries.ts';

const now = new Date('2026-11-22T12:00:00Z');
const delivery = {
  id: 1,
  generation_id: 1,
  batch_id: null,
  endpoint_id: null,
  message_id: 'a',
  url: 'https://a.example',
  attempts: [],
};

it.each([
  ['never when all are over', [null, null], false],
  ['often when one is due within a minute', [null, '2026-11-22T12:00:59Z', '2026-11-22T20:00:00Z'], 3000],
  ['often when one is overdue', ['2026-11-22T11:00:00Z'], 3000],
  ['now and then when all that wait are due later', ['2026-11-22T12:01:00Z'], 30_000],
])('the list of calls is read again %s', (_, times, pause) => {
  const deliveries = times.map((next_attempt_at) => ({ ...delivery, state: 'pending' as const, next_attempt_at }));
  expect(pauseBeforeReading(deliveries, now)).toBe(pause);
});

it.each([
  [204, null, 'Accepted with 204'],
  [500, 'status_not_2xx', 'Refused with 500'],
  [302, 'redirect_not_followed', '302: redirects are not followed'],
  [null, 'url_timeout', 'No response in time'],
  [null, 'something_new', 'something_new'],
])('an attempt with the status %s and error %s reads "%s"', (status, error, text) => {
  expect(outcomeOf({ at: '', duration_ms: 1, status, error })).toBe(text);
});

it.each([
  [{ generation_id: 7, batch_id: null, endpoint_id: null }, 'Generation 7'],
  [{ generation_id: null, batch_id: 8, endpoint_id: null }, 'Batch 8'],
  [{ generation_id: null, batch_id: null, endpoint_id: 9 }, 'Event 7e7ba6a5'],
])('a call with %j is named "%s"', (ids, name) => {
  expect(causeOf({ ...ids, message_id: '7e7ba6a5-4c0e-4b52-a1dc-7b0d6f0a9f35' })).toBe(name);
});
