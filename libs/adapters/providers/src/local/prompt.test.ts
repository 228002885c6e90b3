import { describe, expect, it } from '@jest/globals';
import { readPrompt } from './prompt.ts';

describe('a prompt', () => {
  it('names technique, mood, subject, air and camera in plain words', () => {
    expect(readPrompt('A WATERCOLOR of a snowy mountain lake at night; zoom closer')).toMatchObject({
      treatment: 'watercolor',
      mood: 'night',
      scene: 'lake',
      atmosphere: 'snow',
      camera: 'in',
    });
  });

  it('is taken by whole words', () => {
    expect(readPrompt('pinkish boiling seaside')).toMatchObject({ treatment: null, mood: null, scene: null });
  });

  it('leaves open what it does not name', () => {
    const nothing = { treatment: null, mood: null, scene: null, atmosphere: null, camera: null };
    expect(readPrompt(null)).toMatchObject(nothing);
    expect(readPrompt('')).toEqual(readPrompt(null));
    expect(readPrompt('un perro 🐕')).toMatchObject(nothing);
  });

  it('varies with every letter, but not with its case or the space around it', () => {
    expect(readPrompt('a dog').hash).not.toBe(readPrompt('a dot').hash);
    expect(readPrompt(' A Dog ').hash).toBe(readPrompt('a dog').hash);
  });
});
