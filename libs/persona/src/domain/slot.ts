import { invalidField } from '#kernel';

/** The numbered slots of a persona. Each has at most one training: a new training replaces it (`TrainingStore.add`). */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7] as const;
export type Slot = (typeof SLOTS)[number];

/** `master` is the style reference of style transfer, `main` the input image of generations. */
export type SlotPurpose = 'master' | 'style' | 'main';

export function purposeOf(slot: Slot): SlotPurpose {
  if (slot === 1) return 'master';
  return slot === 7 ? 'main' : 'style';
}

/** @throws DomainError `validation_failed` */
export function slotOf(number: number): Slot {
  const slot = SLOTS.find((each) => each === number);
  if (slot === undefined) throw invalidField('slot', 'must be an integer from 1 to 7');
  return slot;
}
