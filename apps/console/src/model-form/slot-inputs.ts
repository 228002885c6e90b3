import type { DryRunResponse, ModelDto, SlotDto } from '../api/index.ts';
import type { Draft } from './draft.ts';

type Inputs = DryRunResponse['inputs'];

/**
 * The pictures that the service will take from the slots of the persona, while the form is not complete and it can't say so
 * itself. Its rule is `resolveInputs`.
 */
export function inputsOfSlots(slots: readonly SlotDto[], draft: Draft, { kind, inputs }: ModelDto): Inputs {
  const photoIn = (purpose: SlotDto['purpose']) => slots.find((slot) => slot.purpose === purpose)?.photo ?? null;
  const main = inputs.image !== 'none' && draft.image === null ? photoIn('main') : null;
  const isVideo = kind === 'video';
  const styles = slots.filter(({ purpose }) => purpose === 'style').flatMap(({ photo }) => photo ?? []);
  const leavesOut = inputs.references === 'none' || draft.references.length > 0 || draft.style !== null;
  return {
    image: isVideo ? null : main,
    start_frame: isVideo ? main : null,
    style_reference: inputs.style !== 'none' && draft.style === null ? photoIn('master') : null,
    references: styles.slice(0, leavesOut ? 0 : inputs.max_references),
    mask: null,
    control: null,
    pictures: [],
  };
}
