import { invalidField } from '#kernel';

/** The numbered slots of a persona, each for one picture. */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7] as const;
export type Slot = (typeof SLOTS)[number];

/** Slot 1: the style reference of style transfer. */
export const MASTER_SLOT = 1 satisfies Slot;
/** Slot 7: the input image of generations. */
export const MAIN_SLOT = 7 satisfies Slot;

export type SlotPurpose = 'master' | 'style' | 'main';

export function purposeOf(slot: Slot): SlotPurpose {
  if (slot === MASTER_SLOT) return 'master';
  return slot === MAIN_SLOT ? 'main' : 'style';
}

function isSlot(number: number): number is Slot {
  return SLOTS.includes(number as Slot);
}

/** @throws DomainError `validation_failed` */
export function slotOf(number: number): Slot {
  if (!isSlot(number)) throw invalidField('slot', 'must be an integer from 1 to 7');
  return number;
}
