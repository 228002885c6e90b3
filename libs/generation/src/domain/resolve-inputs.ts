import { DomainError, invalidField } from '#kernel';
import type { Model } from './model.ts';

/**
 * A picture to generate from: one of the service's files (`fileId` while the generation is open), or a URL elsewhere.
 */
export type InputSource =
  { readonly key: string; readonly fileId: number | null } | { readonly url: string; readonly fileId: null };

/** The pictures of a persona that models read. */
export interface SlotPictures {
  /** Slot 1, the style reference. */
  readonly master: InputSource | null;
  /** Slot 7, the input image. */
  readonly main: InputSource | null;
}

/** The inputs as the request names them. */
export interface InputRequest {
  /** Those of the persona that `pid` names; `null` without `pid`. */
  readonly slots: SlotPictures | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** A URL; `null` when absent. */
  readonly image: string | null;
}

export interface Inputs {
  /** The input image; for a video model its start frame. */
  readonly image: InputSource | null;
  readonly style: InputSource | null;
  /** Further style references, in order. */
  readonly references: readonly InputSource[];
  readonly mask: InputSource | null;
  readonly control: InputSource | null;
}

/**
 * Resolves the input pictures of a call: inputs of the request take precedence over the persona's slots.
 *
 * @throws DomainError `slot_empty` when a slot that the request names or the model requires is empty;
 * `validation_failed` when the request lacks an input that the model requires, or has one that it does not take
 */
export function resolveInputs(model: Model, request: InputRequest): Inputs {
  const { slots } = request;
  const style = requireStyle(model, slots, styleOf(model, request));
  const image = requireImage(model, slots, imageOf(model, request));
  return { image, style, references: [], mask: null, control: null };
}

function styleOf(model: Model, { slots, styleTransfer }: InputRequest): InputSource | null {
  const taken = model.inputs.style !== 'none';
  if (styleTransfer === 'none') return null;
  if (styleTransfer === null) return taken ? (slots?.master ?? null) : null;
  if (!taken) throw invalidField('style_transfer', `must be absent or none for the model ${model.id}`);
  if (styleTransfer !== 'persona') return given(checkedUrl(styleTransfer));
  if (!slots) throw invalidField('style_transfer', 'persona needs pid');
  if (!slots.master) throw emptySlot(1, 'fill it, or send another style_transfer');
  return slots.master;
}

function imageOf(model: Model, { slots, image }: InputRequest): InputSource | null {
  const taken = model.inputs.image !== 'none';
  if (image === null) return taken ? (slots?.main ?? null) : null;
  if (!taken) throw invalidField('image', `must be absent for the model ${model.id}`);
  return given(image);
}

function requireStyle(model: Model, slots: SlotPictures | null, style: InputSource | null): InputSource | null {
  if (style || model.inputs.style !== 'required') return style;
  throw slots
    ? emptySlot(1, `fill it, or send a URL as style_transfer: ${model.id} needs a style reference`)
    : invalidField('style_transfer', `is required by the model ${model.id}`);
}

function requireImage(model: Model, slots: SlotPictures | null, image: InputSource | null): InputSource | null {
  if (image || model.inputs.image !== 'required') return image;
  throw slots
    ? emptySlot(7, `fill it, or send image: ${model.id} needs an input image`)
    : invalidField('image', `is required by the model ${model.id}`);
}

function checkedUrl(styleTransfer: string): string {
  if (/^https?:\/\//i.test(styleTransfer) && URL.canParse(styleTransfer)) return styleTransfer;
  throw invalidField('style_transfer', 'must be persona, none, or an http or https URL');
}

function given(url: string): InputSource {
  return { url, fileId: null };
}

function emptySlot(slot: 1 | 7, whatToDo: string): DomainError {
  return new DomainError('slot_empty', `slot ${slot} of the persona is empty: ${whatToDo}`);
}
