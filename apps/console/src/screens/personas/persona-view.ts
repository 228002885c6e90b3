import type { PersonaDto, SlotDto, TrainingDto } from '../../api/index.ts';

/** The persona with other trainings, shown until the service confirms them. */
export function withTrainings(persona: PersonaDto, trainings: readonly TrainingDto[]): PersonaDto {
  const slots = persona.slots.map((slot) => withTraining(slot, trainings));
  const slots_filled = slots.filter(({ training_id }) => training_id !== null).length;
  const likes_count = trainings.filter(({ slot }) => slot === null).length;
  return { ...persona, trainings: [...trainings], slots, slots_filled, likes_count, trainings_count: trainings.length };
}

function withTraining(slot: SlotDto, trainings: readonly TrainingDto[]): SlotDto {
  const training = trainings.find((each) => each.slot === slot.slot);
  if (!training) return { ...slot, training_id: null, photo: null, state: null, error: null };
  const { id, image, state, error } = training;
  return { ...slot, training_id: id, photo: image, state, error };
}

/** A move of a training between slots; `null` is among the likes. */
export interface Move {
  readonly trainingId: number;
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The moves that put a training into a slot. A training in the slot changes places with it. Each move goes to an empty slot,
 * so that no move replaces a picture.
 */
export function movesInto(slot: number, trainingId: number, trainings: readonly TrainingDto[]): readonly Move[] {
  const from = trainings.find(({ id }) => id === trainingId)?.slot ?? null;
  if (from === slot) return [];
  const current = trainings.find((each) => each.slot === slot);
  const move: Move = { trainingId, from, to: slot };
  if (!current) return [move];
  const away: Move = { trainingId: current.id, from: slot, to: null };
  return from === null ? [away, move] : [away, move, { trainingId: current.id, from: null, to: from }];
}

/** The moves that undo moves. */
export function reversed(moves: readonly Move[]): readonly Move[] {
  return moves.toReversed().map(({ trainingId, from, to }) => ({ trainingId, from: to, to: from }));
}

export function moved(trainings: readonly TrainingDto[], moves: readonly Move[]): readonly TrainingDto[] {
  return moves.reduce(
    (all, { trainingId, to }) => all.map((each) => (each.id === trainingId ? { ...each, slot: to } : each)),
    trainings,
  );
}

/** The order in which files fill empty slots: style, main image, further styles. */
const FILLED_FIRST = [1, 7, 2, 3, 4, 5, 6];

/** The slots for files dropped on a slot: the first file goes into that slot, the others into empty slots. */
export function slotsFor(count: number, first: number, slots: readonly SlotDto[]): readonly number[] {
  const isEmpty = (slot: number) => slots.some((each) => each.slot === slot && each.training_id === null);
  const others = FILLED_FIRST.filter((slot) => slot !== first && isEmpty(slot));
  return [first, ...others].slice(0, count);
}
