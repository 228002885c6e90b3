import { describe, expect, it } from '@jest/globals';
import type { ShareDto } from '../api/index.ts';
import { changeOf, creationOf, formOf, missingIn, newForm, newPassword } from './share-form.ts';

const now = new Date(2026, 10, 26, 12, 0);
const local = (...at: [number, number, number, number, number, number]) => new Date(...at).toISOString();

describe('a new link', () => {
  const form = newForm('Summer');

  it('lets guests comment and decide, for a month', () => {
    expect(creationOf(form, { board_id: 1 }, now)).toEqual({
      board_id: 1,
      name: 'Summer',
      allow: ['comment', 'decide'],
      expires_at: local(2026, 11, 26, 12, 0, 0),
    });
  });

  it('names a folder or items without their board', () => {
    expect(creationOf(form, { board_id: 1, folder_id: 2 }, now)).not.toHaveProperty('board_id');
    expect(creationOf(form, { board_id: 1, media_ids: [3] }, now)).toMatchObject({ media_ids: [3] });
  });

  it.each([
    ['week', local(2026, 11, 3, 12, 0, 0)],
    ['year', local(2027, 10, 26, 12, 0, 0)],
    ['never', null],
    ['day', local(2026, 11, 24, 23, 59, 59)],
  ] as const)('that is open for a %s ends then', (expiry, end) => {
    expect(creationOf({ ...form, expiry, day: '2026-12-24' }, { board_id: 1 }, now).expires_at).toBe(end);
  });

  it('is not made while a field is missing', () => {
    const open = { ...form, expiry: 'day', hasPassword: true, hasWatermark: true, watermark: ' ' } as const;
    expect(missingIn(open, false)).toEqual(['day', 'password', 'watermark']);
    expect(missingIn(open, true)).toEqual(['day', 'watermark']);
    expect(missingIn({ ...open, day: '2026-12-24', password: 'x', watermark: 'draft' }, false)).toEqual([]);
  });
});

describe('the label of a link', () => {
  const form = newForm('Summer');
  const labelled = formOf({ name: '', allow: [], label: 'Made by AI', watermark: null } as unknown as ShareDto);

  it("is the operator's unless a text is typed", () => {
    const labelOf = (label: string) => creationOf({ ...form, hasLabel: true, label }, { board_id: 1 }).label;
    expect([labelOf(' '), labelOf(' Made by AI ')]).toEqual([true, 'Made by AI']);
    expect(creationOf({ ...form, label: 'typed before' }, { board_id: 1 })).not.toHaveProperty('label');
  });

  it('is changed when its text is, and taken off', () => {
    const change = (part: Partial<typeof form>) =>
      changeOf({ ...labelled, ...part }, { name: '', allow: [], label: 'Made by AI', watermark: null } as never).label;
    expect([change({}), change({ label: '' }), change({ hasLabel: false })]).toEqual([undefined, true, null]);
  });
});

describe('a change of a link', () => {
  const before = {
    name: 'Summer',
    allow: ['decide'],
    has_password: true,
    watermark: 'draft',
    label: null,
  } as unknown as ShareDto;
  const form = formOf(before);

  it('sends only what is different', () => {
    expect(changeOf(form, before, now)).toEqual({});
    expect(changeOf({ ...form, name: ' ', allow: [] }, before, now)).toEqual({ allow: [] });
    expect(changeOf({ ...form, expiry: 'never' }, before, now)).toEqual({ expires_at: null });
  });

  it('keeps the password that is not typed again, and takes it off when it is switched off', () => {
    expect(changeOf({ ...form, password: 'another' }, before, now)).toEqual({ password: 'another' });
    expect(changeOf({ ...form, hasPassword: false, hasWatermark: false }, before, now)).toEqual({
      password: null,
      watermark: null,
    });
  });
});

it('makes passwords of 14 characters, each another', () => {
  const made = Array.from({ length: 50 }, newPassword);
  expect(new Set(made).size).toBe(50);
  for (const password of made) expect(password).toMatch(/^[a-zA-Z2-9]{14}$/);
});
