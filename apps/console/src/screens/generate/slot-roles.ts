import type { DryRunResponse, SlotDto } from '../../api/index.ts';

export type SlotRole = 'style' | 'image' | 'start_frame' | 'reference' | 'unused' | 'empty';

/** What a slot becomes in a generation, read from what the service made of it. */
export interface RoledSlot {
  readonly slot: SlotDto;
  /** Null while the service has not said it. */
  readonly role: SlotRole | null;
  /** Of a reference: which. */
  readonly position: number | null;
}

type Inputs = DryRunResponse['inputs'];

/** Two slots may hold the same picture: then the one whose purpose it is gets the role. */
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
