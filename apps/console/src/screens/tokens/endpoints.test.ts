import { describe, expect, it } from '@jest/globals';
import type { EndpointDto } from '../../api/index.ts';
import { endpointForm, endpointRequest, localMinute, timeOf, typesInWords } from './endpoints.ts';

const endpoint: EndpointDto = {
  ...{ id: 1, url: 'https://a.example', description: null, types: ['*'], active: true, state: 'active' },
  ...{ last_error: null, failing_since: null, created_at: '' },
};

describe('the form of an endpoint', () => {
  it.each([{ types: ['*'] }, { types: ['board.created', 'test'], active: false, description: 'Billing' }])(
    'that is sent as it is changes nothing of %j',
    (facts) => {
      const { url, types, description, active } = { ...endpoint, ...facts };
      expect(endpointRequest(endpointForm({ ...endpoint, ...facts }))).toEqual({ url, types, description, active });
    },
  );

  it('asks for all events unless types are chosen', () => {
    const filled = { ...endpointForm(null), url: ' https://a.example ' };
    expect(endpointRequest(filled)).toMatchObject({ url: 'https://a.example', types: ['*'], description: null });
    expect(endpointRequest({ ...filled, types: ['board.created'] }).types).toEqual(['board.created']);
  });
});

it('types are listed in words, unknown ones by their code', () => {
  expect(typesInWords(['*'])).toBe('All events');
  expect(typesInWords(['board.created', 'later.added'])).toBe('Board created, later.added');
});

it('a field of a time has the minute of the reader’s zone, and gives it back', () => {
  const at = new Date(2026, 10, 22, 9, 5, 30);
  expect(localMinute(at)).toBe('2026-11-22T09:05');
  expect(timeOf(localMinute(at))).toBe(new Date(2026, 10, 22, 9, 5).toISOString());
  expect(timeOf('')).toBeUndefined();
});
