import { costOf, type Model } from '#catalogue';
import { PRIVATE_TYPES } from '#files';
import { DomainError, invalidField } from '#kernel';
import type { InputSource } from './resolve-inputs.ts';

/** A style that a persona was trained on, as its generations use it. */
export interface TrainedStyle {
  readonly id: number;
  readonly name: string;
  /** The word that prompts call the style by. */
  readonly trigger: string;
  /** The private file of its weights; `null` while it is trained. */
  readonly weights: { readonly key: string; readonly fileId: number | null } | null;
}

/** A style that can be used. */
export interface ReadyStyle extends TrainedStyle {
  readonly weights: NonNullable<TrainedStyle['weights']>;
  /** Only models of the same family can use it. */
  readonly family: string | null;
  /** The persona uses it unless a call says otherwise. */
  readonly isActive: boolean;
}

/** A picture of a persona that a style can be trained on. */
export interface TrainingPicture {
  readonly trainingId: number;
  readonly source: InputSource;
}

/** A picture in one of the slots 1 to 6 of a persona. */
export interface StyleSlot {
  readonly slot: number;
  readonly trainingId: number;
  /** Grows when the training gets another picture. */
  readonly pictureVersion: number;
}

/** The pictures in slots 1 to 6 as text: the mark of a style that is trained on them. */
export function markOf(slots: readonly StyleSlot[]): string {
  const inOrder = slots.toSorted((one, other) => one.slot - other.slot);
  return inOrder.map(({ slot, trainingId, pictureVersion }) => `${slot}:${trainingId}.${pictureVersion}`).join(',');
}

/** A style is outdated while the pictures in slots 1 to 6 are others than at the request of its training. */
export function isOutdated(mark: string, slots: readonly StyleSlot[]): boolean {
  return mark !== markOf(slots);
}

/** Code points, after trimming. */
export const MAX_STYLE_NAME = 100;

const TRIGGER_LETTERS = 8;

/** A word that no prompt has by chance. */
export function newTrigger(random: (below: number) => number): string {
  const letters = Array.from({ length: TRIGGER_LETTERS }, () => String.fromCharCode(97 + random(26)));
  return `x12${letters.join('')}`;
}

/** @throws DomainError `validation_failed` */
export function checkedStyleName(given: string): string {
  const name = given.trim();
  const length = [...name].length;
  if (length >= 1 && length <= MAX_STYLE_NAME && !/\p{Cc}/u.test(name)) return name;
  throw invalidField('name', `must have 1 to ${MAX_STYLE_NAME} characters, on one line`);
}

/**
 * The pictures that a model trains on.
 *
 * @param slots the pictures in the filled slots 1 to 6, in order
 * @param chosen the pictures that the call names; `null` when it names none
 * @throws DomainError `slot_empty` when there are too few; `validation_failed` when the call names too many
 */
export function picturesToTrain(
  { id, inputs }: Model,
  slots: readonly TrainingPicture[],
  chosen: readonly TrainingPicture[] | null,
): readonly TrainingPicture[] {
  const { minPictures, maxPictures } = inputs;
  const pictures = chosen ?? slots.slice(0, maxPictures);
  if (pictures.length > maxPictures) {
    throw invalidField('pictures', `must be at most ${maxPictures} for the model ${id}`);
  }
  if (pictures.length >= minPictures) return pictures;
  const has = chosen ? `the call names ${chosen.length}` : `slots 1 to 6 have ${slots.length}`;
  throw new DomainError('slot_empty', `${id} needs at least ${minPictures} pictures: ${has}`);
}

/** The choice of a style in a request. */
export interface StyleRequest {
  /** True if the request names a persona. */
  readonly hasPersona: boolean;
  readonly styleTransfer: string | null;
  /** An id, or `none`; `null` when absent. */
  readonly styleId: number | 'none' | null;
}

/** Reports whether a call can use a style, so that the styles of its persona are to be read. */
export function mayUseStyle(model: Model, request: StyleRequest): boolean {
  return request.styleId !== null || model.inputs.styleWeights !== 'none';
}

/**
 * The trained style that a call uses: the named one, else the active one of the persona if it is of the model's family.
 *
 * @param ready the ready styles of the persona
 * @throws DomainError `validation_failed`, `not_found`; `slot_empty` when the model requires a style and the persona has
 * none
 */
export function resolveStyle(
  model: Model,
  { hasPersona, styleTransfer, styleId }: StyleRequest,
  ready: readonly ReadyStyle[],
): TrainedStyle | null {
  const isTaken = model.inputs.styleWeights !== 'none';
  if (styleId !== null && styleId !== 'none') {
    if (!isTaken) throw invalidField('style_id', `must be absent or none for the model ${model.id}`);
    if (!hasPersona) throw invalidField('style_id', 'needs pid');
    return styleOf(model, styleId, ready);
  }
  const isLeftOut = styleId === 'none' || styleTransfer === 'none' || !isTaken;
  const active = isLeftOut ? undefined : ready.find((style) => style.isActive && style.family === model.family);
  if (active) return active;
  if (model.inputs.styleWeights !== 'required') return null;
  if (!hasPersona) throw invalidField('style_id', `is required by the model ${model.id}, and so is pid`);
  throw new DomainError('slot_empty', `${model.id} needs a trained style: train one, make it active, or send style_id`);
}

function styleOf(model: Model, id: number, ready: readonly ReadyStyle[]): TrainedStyle {
  const style = ready.find((each) => each.id === id);
  if (!style) throw new DomainError('not_found', 'the persona has no ready style with this id');
  if (style.family === model.family) return style;
  throw invalidField('style_id', `must be a style of the family ${model.family}: this one is of ${style.family}`);
}

/** Prompt of the preview of a style. */
export const PREVIEW_PROMPT = 'a lighthouse by the sea';

/** The cheapest picture model that a style of the family fits, and that needs nothing but a prompt. */
export function previewModel(models: readonly Model[], family: string | null): Model | null {
  const fitting = models.filter((model) => model.kind === 'image' && model.family === family && needsOnlyStyle(model));
  const [cheapest = null] = fitting.sort((one, other) => defaultCostOf(one) - defaultCostOf(other));
  return cheapest;
}

function needsOnlyStyle({ inputs }: Model): boolean {
  const { image, style, references, mask, control, styleWeights } = inputs;
  return styleWeights !== 'none' && ![image, style, references, mask, control].includes('required');
}

function defaultCostOf(model: Model): number {
  const defaults = Object.entries(model.parameters).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return costOf(model, Object.fromEntries(defaults));
}

const MAX_SAFETENSORS_HEADER = 100_000_000;

type StyleFileType = (typeof PRIVATE_TYPES)[keyof typeof PRIVATE_TYPES];

/** The types that a model of the kind `style` returns: weights, or JSON with a vendor's reference or a local style. */
export function styleFileTypesOf({ result }: Pick<Model, 'result'>): readonly StyleFileType[] {
  const { safetensors, tar, json } = PRIVATE_TYPES;
  return result && 'weights' in result ? [safetensors, tar] : [json];
}

/**
 * The type of a style file by its first bytes; `null` for any other file.
 *
 * @param head at least 512 bytes, or the whole file
 */
export function styleFileType(head: Buffer, size: number): StyleFileType | null {
  if (isSafetensors(head, size)) return PRIVATE_TYPES.safetensors;
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return PRIVATE_TYPES.tar;
  return head[0] === 0x7b ? PRIVATE_TYPES.json : null;
}

/** A header of JSON follows its length in 8 bytes. */
function isSafetensors(head: Buffer, size: number): boolean {
  if (head.length < 10 || head[8] !== 0x7b) return false;
  const length = head.readBigUInt64LE(0);
  return length >= 2n && length <= MAX_SAFETENSORS_HEADER && Number(length) + 8 <= size;
}
