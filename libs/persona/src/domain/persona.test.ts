import { describe, expect, it } from '@jest/globals';
import { checkedProfile, MAX_PERSONA_NAME, MAX_PROFILE_TEXT } from './persona.ts';
import { purposeOf, slotOf, SLOTS } from './slot.ts';
import {
  assertPicture,
  checkedNotes,
  failed,
  MAX_TRAINING_TEXT,
  newTraining,
  processed,
  withPicture,
  type CreatedTraining,
} from './training.ts';

const target = { workspaceId: 1, personaId: 2, slot: 3 } as const;
const notes = { extras: 'a fox', info: null };
const url = 'https://pictures.test/fox.png';
const now = new Date('2026-03-14T09:26:53.589Z');
const created = { ...newTraining(target, { url, fileId: null }, notes, now), id: 9 } as CreatedTraining;

const refused = (field: string, problem: string) =>
  expect.objectContaining({
    code: 'validation_failed',
    message: `${field} ${problem}`,
    fields: { [field]: [problem] },
  });

describe('a profile', () => {
  it('has a name without the white space around it', () => {
    expect(checkedProfile({ name: '  Ada Lovelace \n' })).toEqual({ name: 'Ada Lovelace' });
  });

  it('has a name of 1 to 100 characters, however many bytes they take', () => {
    const longest = '🦊'.repeat(MAX_PERSONA_NAME);
    expect(checkedProfile({ name: 'A' })).toEqual({ name: 'A' });
    expect(checkedProfile({ name: longest })).toEqual({ name: longest });
    for (const name of ['', '   ', `${longest}!`, 'two\nlines']) {
      const problem = refused('name', 'must have 1 to 100 characters, on one line');
      expect(() => checkedProfile({ name })).toThrow(problem);
    }
  });

  it.each(['title', 'knows', 'profession'] as const)('has a %s of at most 10,000 characters', (field) => {
    const longest = '🦊'.repeat(MAX_PROFILE_TEXT);
    for (const text of [null, '', longest]) {
      expect(checkedProfile({ [field]: text })).toEqual({ [field]: text });
    }
    const tooLong = refused(field, 'must have at most 10000 characters');
    expect(() => checkedProfile({ [field]: `${longest}!` })).toThrow(tooLong);
  });

  it('has no fields that were not given', () => {
    expect(checkedProfile({})).toEqual({});
  });
});

describe('slots', () => {
  it('are seven: the master, five for style, and the main one', () => {
    expect(SLOTS.map(purposeOf)).toEqual(['master', 'style', 'style', 'style', 'style', 'style', 'main']);
  });

  it.each([1, 7])('have the number %i', (number) => {
    expect(slotOf(number)).toBe(number);
  });

  it.each([0, 8, -1, 1.5, Number.NaN])('do not have the number %d', (number) => {
    expect(() => slotOf(number)).toThrow(refused('slot', 'must be an integer from 1 to 7'));
  });
});

describe('a training', () => {
  it('is created with a foreign picture, and processed with a stored file', () => {
    for (const [fileId, state] of [
      [null, 'created'],
      [4, 'processed'],
    ] as const) {
      const expected = { state, sourceUrl: url, fileId, pictureVersion: 1 };
      expect(newTraining(target, { url, fileId }, notes, now)).toMatchObject(expected);
    }
  });

  it('ends with a file or with an error', () => {
    expect(processed(created, 4)).toEqual({ ...created, state: 'processed', fileId: 4 });
    expect(failed(created, 'not_an_image')).toEqual({ ...created, state: 'failed', error: 'not_an_image' });
  });

  it.each([created, processed(created, 4), failed(created, 'url_timeout')])(
    'starts again with another picture when it is $state',
    (before) => {
      const picture = { url: 'https://pictures.test/owl.png', fileId: null };
      expect(withPicture(before, picture)).toEqual({ ...created, sourceUrl: picture.url, pictureVersion: 2 });
    },
  );

  it.each(['extras', 'info'] as const)('has %s of at most 10,000 characters', (field) => {
    const longest = '🦊'.repeat(MAX_TRAINING_TEXT);
    expect(checkedNotes({ [field]: longest })).toEqual({ [field]: longest });
    const tooLong = refused(field, 'must have at most 10000 characters');
    expect(() => checkedNotes({ [field]: `${longest}!` })).toThrow(tooLong);
  });

  it('fills a slot only with a picture', () => {
    for (const type of ['image/jpeg', 'image/svg+xml']) expect(() => assertPicture(type, 'photo')).not.toThrow();
    for (const type of ['video/mp4', 'model/gltf-binary', 'application/octet-stream']) {
      expect(() => assertPicture(type, 'photo')).toThrow(refused('photo', 'must be a picture to fill a slot'));
    }
  });
});
