import { DomainError, invalidField } from '#kernel';
import type { Model } from './model.ts';

/** A picture to generate from: at `url`, and where it is a stored file of the workspace, in that file. */
export interface InputSource {
  readonly url: string;
  readonly fileId: number | null;
}

/** The pictures of a persona that generators read. */
export interface SlotPictures {
  /** Slot 1, the style reference. */
  readonly master: InputSource | null;
  /** Slot 7, the picture to work on. */
  readonly main: InputSource | null;
}

/** What the request says of its inputs. */
export interface InputRequest {
  /** Of the persona that `pid` names; `null` without `pid`. */
  readonly slots: SlotPictures | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** A URL; `null` when absent. */
  readonly image: string | null;
}

export interface Inputs {
  /** The input image; for a video model its start frame. */
  readonly image: InputSource | null;
  readonly styleReference: InputSource | null;
}

/**
 * Which pictures a call generates from: what it says itself goes before the persona's slots.
 *
 * @throws DomainError `slot_empty` when a slot is asked for, or needed by the model, and is empty; `validation_failed`
 * when the request itself lacks what the model needs, or gives it what it does not take
 */
export function resolveInputs(model: Model, request: InputRequest): Inputs {
  const { slots } = request;
  const styleReference = requireStyle(model, slots, styleOf(model, request));
  const image = requireImage(model, slots, imageOf(model, request));
  return { image, styleReference };
}

function styleOf(model: Model, { slots, styleTransfer }: InputRequest): InputSource | null {
  const taken = model.inputs.styleReference !== 'none';
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

function requireStyle(
  model: Model,
  slots: SlotPictures | null,
  style: InputSource | null,
): InputSource | null {
  if (style || model.inputs.styleReference !== 'required') return style;
  throw slots
    ? emptySlot(1, `fill it, or send a URL as style_transfer: ${model.id} needs a style reference`)
    : invalidField('style_transfer', `is required by the model ${model.id}`);
}

function requireImage(
  model: Model,
  slots: SlotPictures | null,
  image: InputSource | null,
): InputSource | null {
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
