import { expect, it } from '@jest/globals';
import type { ListedModelDto } from '../generated/index.ts';
import { endingModels, endOf } from './ends.ts';

const now = new Date('2026-11-29T12:00:00Z');
const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
const DAYS_60 = 60 * 86_400_000;
const listed = (id: string, retires_at: string | null, more: Partial<ListedModelDto> = {}) =>
  ({
    id,
    is_offered: true,
    gone_since: null,
    model: { title: id, retires_at, successor: 'next' },
    ...more,
  }) as ListedModelDto;

it('operators are told of models that end within 60 days or are gone, the soonest first', () => {
  const models = [
    listed('later', after(DAYS_60 + 1)),
    listed('in 60 days', after(DAYS_60)),
    listed('soon', after(1)),
    listed('now', after(0)),
    listed('endless', null),
    listed('gone', null, { gone_since: after(-1) }),
    listed('off', after(1), { is_offered: false }),
  ];
  expect(endingModels(models, now).map(({ id }) => id)).toEqual(['gone', 'soon', 'in 60 days']);
});

it('a model is gone until it ends', () => {
  const gone_since = after(-1);
  const gone = { state: 'gone', at: gone_since, successor: 'next' };
  expect(endOf(listed('a', after(1), { gone_since }), now)).toEqual(gone);
  expect(endOf(listed('a', after(0), { gone_since }), now)).toEqual({
    state: 'ended',
    at: after(0),
    successor: 'next',
  });
});
