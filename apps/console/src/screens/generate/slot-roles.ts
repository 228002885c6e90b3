import type { DryRunResponse, SlotDto } from '../../api/index.ts';

export type SlotRole = 'style' | 'image' | 'start_frame' | 'reference' | 'unused' | 'empty';

/** The role of a slot in a generation, read from the inputs that the service resolved. */
export interface RoledSlot {
  readonly slot: SlotDto;
  /** Null until the service has resolved the inputs. */
  readonly role: SlotRole | null;
  /** The number of a reference; null for other roles. */
  readonly position: number | null;
}

type Inputs = DryRunResponse['inputs'];

/** The preferred roles of a slot by its purpose, as several slots may have the same picture. */
const PURPOSES: Readonly<Record<SlotDto['purpose'], readonly SlotRole[]>> = {
  master: ['style', 'image', 'start_frame', 'reference'],
  style: ['reference', 'style', 'image', 'start_frame'],
  main: ['image', 'start_frame', 'style', 'reference'],
};

export function slotRoles(slots: readonly SlotDto[], inputs: Inputs | undefined): RoledSlot[] {
  return slots.map((slot) => {
    if (slot.photo === null) return { slot, role: 'empty', position: null };
    if (inputs === undefined) return { slot, role: null, position: null };
    const role = PURPOSES[slot.purpose].find((each) => picturesOf(each, inputs).includes(slot.photo)) ?? 'unused';
    return { slot, role, position: role === 'reference' ? inputs.references.indexOf(slot.photo) + 1 : null };
  });
}

function picturesOf(role: SlotRole, inputs: Inputs): readonly (string | null)[] {
  if (role === 'reference') return inputs.references;
  return [role === 'style' ? inputs.style_reference : role === 'image' ? inputs.image : inputs.start_frame];
}
