import type { Model } from '#catalogue';
import { DomainError, invalidField } from '#kernel';
import type { InputPlace, InputSet } from './input-set.ts';

/**
 * An input picture: a file of the service (`fileId` is set while the generation is open), or an external URL.
 */
export type InputSource =
  | { readonly key: string; readonly fileId: number | null }
  | { readonly url: string; readonly fileId: null };

export type Inputs = InputSet<InputSource>;

/** The pictures in a persona's slots. */
export interface SlotPictures {
  /** Slot 1, the style reference. */
  readonly master: InputSource | null;
  /** The pictures in the filled slots 2 to 6, in order. */
  readonly styles: readonly InputSource[];
  /** Slot 7, the input image. */
  readonly main: InputSource | null;
}

/** The inputs in a request. */
export interface InputRequest {
  /** The slots of the persona `pid`; `null` without `pid`. */
  readonly slots: SlotPictures | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** A URL; `null` when absent, like all following fields. */
  readonly image: string | null;
  /** The fields `extra_image_1`, `extra_image_2`, and so on. */
  readonly extraImages: readonly (string | null)[];
  readonly maskImage: string | null;
  readonly controlImage: string | null;
}

/** The fields of a request that name pictures by URL. */
const FIELDS = { image: 'image', style: 'style_transfer', mask: 'mask_image', control: 'control_image' } as const;

/**
 * Resolves the input pictures of a call: inputs of the request take precedence over the persona's slots.
 *
 * @throws DomainError `slot_empty` when a slot that the request names or the model requires is empty;
 * `validation_failed` when the request lacks a required input, or has an input that the model does not take
 */
export function resolveInputs(model: Model, request: InputRequest): Inputs {
  const { slots } = request;
  return {
    style: requireStyle(model, slots, styleOf(model, request)),
    image: requireImage(model, slots, imageOf(model, request)),
    references: requireReferences(model, slots, referencesOf(model, request)),
    mask: requireGiven(model, 'mask', givenOf(model, 'mask', request.maskImage)),
    control: requireGiven(model, 'control', givenOf(model, 'control', request.controlImage)),
    pictures: [],
  };
}

/** The field of a request that names a picture by URL; `pid` for a picture of a slot. */
export function fieldOf({ input, position }: InputPlace, { extraImages }: Pick<InputRequest, 'extraImages'>): string {
  if (input === 'pictures') return 'pictures';
  return input === 'references' ? (extraFieldsOf(extraImages)[position - 1] ?? 'pid') : FIELDS[input];
}

/** The fields of extra images in a request, in the order of the references. */
function extraFieldsOf(extraImages: InputRequest['extraImages']): readonly string[] {
  return extraImages.flatMap((url, index) => (url === null ? [] : [`extra_image_${index + 1}`]));
}

/**
 * Checks a style that is not that of a certain persona.
 *
 * @throws DomainError `validation_failed` when it is malformed, or the model takes none
 */
export function checkStyleTransfer(model: Model, styleTransfer: string | null): void {
  if (styleTransfer === null || styleTransfer === 'none') return;
  if (model.inputs.style === 'none') {
    throw invalidField('style_transfer', `must be absent or none for the model ${model.id}`);
  }
  if (styleTransfer === 'persona') return;
  if (/^https?:\/\//i.test(styleTransfer) && URL.canParse(styleTransfer)) return;
  throw invalidField('style_transfer', 'must be persona, none, or an http or https URL');
}

function styleOf(model: Model, { slots, styleTransfer }: InputRequest): InputSource | null {
  const taken = model.inputs.style !== 'none';
  if (styleTransfer === 'none') return null;
  if (styleTransfer === null) return taken ? (slots?.master ?? null) : null;
  checkStyleTransfer(model, styleTransfer);
  if (styleTransfer !== 'persona') return given(styleTransfer);
  if (!slots) throw invalidField('style_transfer', 'persona needs pid');
  if (!slots.master) throw emptySlot(1, 'fill it, or send another style_transfer');
  return slots.master;
}

function imageOf(model: Model, { slots, image }: InputRequest): InputSource | null {
  const taken = model.inputs.image !== 'none';
  return image === null && taken ? (slots?.main ?? null) : givenOf(model, 'image', image);
}

function referencesOf(model: Model, { slots, styleTransfer, extraImages }: InputRequest): readonly InputSource[] {
  const { references, maxReferences } = model.inputs;
  const most = references === 'none' ? 0 : maxReferences;
  const urls = extraImages.filter((url) => url !== null);
  const tooMany = extraFieldsOf(extraImages)[most];
  if (tooMany !== undefined) throw invalidField(tooMany, tooManyFor(model, most));
  if (urls.length > 0) return urls.map(given);
  const followsPersona = styleTransfer === null || styleTransfer === 'persona';
  return followsPersona ? (slots?.styles.slice(0, most) ?? []) : [];
}

function tooManyFor({ id }: Model, most: number): string {
  if (most === 0) return `must be absent for the model ${id}`;
  return `must be absent: the model ${id} takes at most ${most} extra image${most === 1 ? '' : 's'}`;
}

function givenOf(model: Model, input: keyof typeof FIELDS, url: string | null): InputSource | null {
  if (url === null) return null;
  if (model.inputs[input] === 'none') throw invalidField(FIELDS[input], `must be absent for the model ${model.id}`);
  return given(url);
}

function requireStyle(model: Model, slots: SlotPictures | null, style: InputSource | null): InputSource | null {
  if (style || model.inputs.style !== 'required') return style;
  throw slots
    ? emptySlot(1, `fill it, or send a URL as style_transfer: ${model.id} needs a style reference`)
    : invalidField('style_transfer', `is required by the model ${model.id}`);
}

function requireImage(model: Model, slots: SlotPictures | null, image: InputSource | null): InputSource | null {
  if (image || model.inputs.image !== 'required' || !slots) return requireGiven(model, 'image', image);
  throw emptySlot(7, `fill it, or send image: ${model.id} needs an input image`);
}

function requireReferences(
  model: Model,
  slots: SlotPictures | null,
  references: readonly InputSource[],
): readonly InputSource[] {
  if (references.length > 0 || model.inputs.references !== 'required') return references;
  if (!slots) throw invalidField('extra_image_1', `is required by the model ${model.id}`);
  const whatToDo = 'fill one of the slots 2 to 6 of the persona and leave style_transfer out, or send extra_image_1';
  throw new DomainError('slot_empty', `${model.id} needs style references: ${whatToDo}`);
}

function requireGiven(model: Model, input: keyof typeof FIELDS, picture: InputSource | null): InputSource | null {
  if (picture || model.inputs[input] !== 'required') return picture;
  throw invalidField(FIELDS[input], `is required by the model ${model.id}`);
}

function given(url: string): InputSource {
  return { url, fileId: null };
}

function emptySlot(slot: 1 | 7, whatToDo: string): DomainError {
  return new DomainError('slot_empty', `slot ${slot} of the persona is empty: ${whatToDo}`);
}
