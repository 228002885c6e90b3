import { describe, expect, it } from '@jest/globals';
import { dataOf, rememberedUrls } from './event-data.ts';
import { EVENT_TYPES, readableTypes, subjectOf } from './event.ts';

describe('an event', () => {
  it('has the id of its subject as a number, but for models and providers, which have names', () => {
    expect(subjectOf({ type: 'media.failed', subjectId: '7' })).toEqual({ type: 'board', id: 7 });
    expect(subjectOf({ type: 'model.gone', subjectId: '7' })).toEqual({ type: 'model', id: '7' });
    expect(subjectOf({ type: 'provider.failing', subjectId: '7' })).toEqual({ type: 'provider', id: '7' });
  });

  it('about people, credits, links and vendors is for those who may read about the team', () => {
    expect(readableTypes(true)).toEqual(EVENT_TYPES);
    const hidden = EVENT_TYPES.filter((type) => !readableTypes(false).includes(type));
    expect(hidden).toEqual([
      ...['share.opened', 'review.summary', 'member.joined', 'member.left', 'member.role_changed'],
      ...['credits.low', 'budget.exceeded', 'provider.failing', 'test'],
    ]);
  });

  it('shows the URLs of its files as they are now', () => {
    const event = { id: 'a-random-id' };
    const { urlOf } = rememberedUrls(event);
    const data = { url: urlOf('a/1.png'), outputs: [{ url: urlOf('b/2.png'), index: 0, label: null }] };
    expect(dataOf({ ...event, data }, { urlOf: (key) => `https://now.example.com/${key}` })).toEqual({
      url: 'https://now.example.com/a/1.png',
      outputs: [{ url: 'https://now.example.com/b/2.png', index: 0, label: null }],
    });
  });

  it('makes no URL of a text that a caller wrote', () => {
    const data = JSON.parse('{"prompt":"file:another-id:secret.png","metadata":{"__proto__":"x"}}');
    const shown = dataOf({ id: 'a-random-id', data }, { urlOf: () => 'https://signed.example.com' });
    expect(JSON.stringify(shown)).toBe(JSON.stringify(data));
  });
});
