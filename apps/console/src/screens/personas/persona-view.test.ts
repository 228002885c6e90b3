import { describe, expect, it } from '@jest/globals';
import type { PersonaDto, TrainingDto } from '../../api/index.ts';
import { moved, movesInto, reversed, slotsFor, withTrainings } from './persona-view.ts';

const training = (id: number, slot: number | null): TrainingDto => ({
  id,
  slot,
  image: `http://x12.test/files/${id}/a.png`,
  extras: null,
  info: null,
  state: 'processed',
  error: null,
  created_at: '2026-11-22T12:00:00Z',
});

const slots = [1, 2, 3, 4, 5, 6, 7].map((slot) => {
  return { slot, purpose: 'style' as const, training_id: null, photo: null, state: null, error: null };
});
const persona = { id: 1, name: 'Ada', slots, trainings: [] as TrainingDto[] } as PersonaDto;
const placesOf = (trainings: readonly TrainingDto[]) => Object.fromEntries(trainings.map(({ id, slot }) => [id, slot]));

describe('a picture that moves into a slot', () => {
  const trainings = [training(1, 1), training(3, 3), training(9, null)];

  it.each([
    ['that is empty leaves its former slot', 2, 1, { 1: 2, 3: 3, 9: null }],
    ['that is filled changes places with its picture', 3, 1, { 1: 3, 3: 1, 9: null }],
    ['from the likes moves the picture of the slot to the likes', 3, 9, { 1: 1, 3: null, 9: 3 }],
    ['that it is in stays', 1, 1, { 1: 1, 3: 3, 9: null }],
  ])('%s', (_, slot, id, places) => {
    expect(placesOf(moved(trainings, movesInto(slot, id, trainings)))).toEqual(places);
  });

  it.each([
    [3, 1],
    [3, 9],
    [2, 1],
  ])('never replaces a picture of slot %d', (slot, id) => {
    const moves = movesInto(slot, id, trainings);
    moves.forEach(({ to }, at) => {
      const before = moved(trainings, moves.slice(0, at));
      expect(to === null || !before.some((each) => each.slot === to)).toBe(true);
    });
  });

  it('returns to its former slot', () => {
    const moves = movesInto(3, 9, trainings);
    expect(moved(moved(trainings, moves), reversed(moves))).toEqual(trainings);
  });
});

it('a persona with other trainings shows their pictures in its slots, and counts them', () => {
  const shown = withTrainings(persona, [training(4, 7), training(5, null)]);
  expect(shown).toMatchObject({ slots_filled: 1, likes_count: 1, trainings_count: 2 });
  expect(shown.slots[6]).toMatchObject({ training_id: 4, photo: training(4, 7).image, state: 'processed' });
  expect(shown.slots[0]).toMatchObject({ training_id: null, photo: null });
});

it('files dropped together go into the slot below them, and then into empty ones', () => {
  const shown = withTrainings(persona, [training(4, 7)]);
  expect(slotsFor(3, 2, shown.slots)).toEqual([2, 1, 3]);
  expect(slotsFor(1, 7, shown.slots)).toEqual([7]);
  expect(slotsFor(9, 1, shown.slots)).toEqual([1, 2, 3, 4, 5, 6]);
});
