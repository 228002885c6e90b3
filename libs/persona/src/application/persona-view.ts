import { purposeOf, SLOTS, type Slot, type SlotPurpose } from '../domain/slot.ts';
import type { TrainingState } from '../domain/training.ts';
import type { PersonaDetails, PersonaSummary } from '../ports/personas.ts';
import { shownUrl, type PublicUrls } from './training-view.ts';

/** A slot as callers see it: all of it but number and purpose is null while it is empty. */
export interface SlotView {
  readonly slot: Slot;
  readonly purpose: SlotPurpose;
  readonly trainingId: number | null;
  readonly photo: string | null;
  readonly state: TrainingState | null;
  readonly error: string | null;
}

/** A persona as callers see it, with its seven slots. */
export interface PersonaView extends PersonaSummary {
  readonly slots: readonly SlotView[];
}

export function personaView({ filledSlots, ...persona }: PersonaDetails, urls: PublicUrls): PersonaView {
  const filled = new Map(filledSlots.map((each) => [each.slot, each]));
  const slots = SLOTS.map((slot): SlotView => {
    const training = filled.get(slot);
    return {
      slot,
      purpose: purposeOf(slot),
      trainingId: training?.trainingId ?? null,
      photo: training ? shownUrl(training.sourceUrl, training.fileKey, urls) : null,
      state: training?.state ?? null,
      error: training?.error ?? null,
    };
  });
  return { ...persona, slots };
}
