import type { JsonValue, Model, Parameter } from '#catalogue';
import { invalidField } from '#kernel';
import type { FieldValues } from '../http/index.ts';

/** Fields of one call of `POST /v2/generate`. */
export type ImageCall = Readonly<Record<string, unknown>>;

/** URLs of the pictures of an edit. */
export interface EditInputs {
  readonly images: readonly string[];
  readonly mask: string | null;
}

const MAX_IMAGES = 10;
const MAX_EXTRA_IMAGES = 6;
/** Fields beside the parameters of the model, which are passed as they are. */
const PASSED = ['prompt', 'pid', 'style_transfer'] as const;

/**
 * The calls of `POST /v2/generate` that make the pictures of one call of OpenAI's image API: several when the model makes
 * fewer at a time. Fields that nothing here takes are left out.
 *
 * @throws DomainError `validation_failed` for `n`, `size` or `image`
 */
export function imageCalls(
  fields: FieldValues,
  model: Pick<Model, 'id' | 'parameters'>,
  inputs: EditInputs = { images: [], mask: null },
): readonly ImageCall[] {
  const { parameters } = model;
  const taken = [...PASSED, ...Object.keys(parameters)].filter((name) => isGiven(fields[name]));
  const call = {
    ...Object.fromEntries(taken.map((name) => [name, fields[name]])),
    ...sizeParameters(textOf(fields, 'size'), parameters),
    ...pictureFields(inputs),
    model: isGiven(fields.model) ? fields.model : model.id,
    ...(isGiven(fields.user) && { customer: fields.user }),
  };
  const { count } = parameters;
  const atOnce = count ? (count.maximum ?? MAX_IMAGES) : 1;
  const wanted = numberOfImages(fields.n);
  return Array.from({ length: Math.ceil(wanted / atOnce) }, (_, at) =>
    count ? { ...call, count: Math.min(atOnce, wanted - at * atOnce) } : call,
  );
}

const FORMATS = ['b64_json', 'url'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

/** How the pictures are sent. @throws DomainError `validation_failed` */
export function responseFormatOf({ response_format: value }: FieldValues): ResponseFormat {
  const format = isGiven(value) ? FORMATS.find((each) => each === value) : FORMATS[0];
  if (!format) throw invalidField('response_format', `must be ${FORMATS.join(' or ')}`);
  return format;
}

/** `auto` leaves a field to the model, as clients that always send the field mean. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 'auto';

function textOf(fields: FieldValues, name: string): string | null {
  const value = fields[name];
  if (!isGiven(value)) return null;
  if (typeof value !== 'string') throw invalidField(name, 'must be a text');
  return value;
}

function numberOfImages(value: unknown): number {
  if (!isGiven(value)) return 1;
  const count = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value;
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= MAX_IMAGES) return count as number;
  throw invalidField('n', `must be an integer from 1 to ${MAX_IMAGES}`);
}

/** The first picture is the input, the others are references. */
function pictureFields({ images: [image, ...others], mask }: EditInputs): ImageCall {
  if (others.length > MAX_EXTRA_IMAGES) {
    throw invalidField('image', `must be at most ${MAX_EXTRA_IMAGES + 1} pictures`);
  }
  return {
    ...(image !== undefined && { image }),
    ...Object.fromEntries(others.map((url, at) => [`extra_image_${at + 1}`, url])),
    ...(mask !== null && { mask_image: mask }),
  };
}

interface Shape {
  readonly width: number;
  readonly height: number;
}

/**
 * The parameters of a model for a size in pixels: its own width and height within their limits, or the nearest of the sizes
 * or aspect ratios that it has. None for a model without any.
 *
 * @param size `WxH`; `null` leaves the size to the model
 * @throws DomainError `validation_failed`
 */
export function sizeParameters(
  size: string | null,
  parameters: Model['parameters'],
): Readonly<Record<string, JsonValue>> {
  if (size === null) return {};
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width === undefined) throw invalidField('size', 'must be auto, or width and height such as 1024x1024');
  const wanted = { width: Number(width), height: Number(height) };
  if (parameters.width && parameters.height) return within(wanted, parameters.width, parameters.height);
  for (const name of ['size', 'image_size', 'aspect_ratio', 'aspect']) {
    const parameter = parameters[name];
    if (!parameter) continue;
    if (!parameter.enum) return { [name]: size };
    const nearest = nearestOf(wanted, parameter.enum);
    return nearest === null ? {} : { [name]: nearest };
  }
  return {};
}

/** The size with the same aspect within the limits of both sides; a side that still is outside is cut to its limit. */
function within({ width, height }: Shape, ofWidth: Parameter, ofHeight: Parameter): { width: number; height: number } {
  const limits = [ofWidth, ofHeight].map(({ minimum = 1, maximum = Infinity }) => ({ minimum, maximum }));
  const [x, y] = [limits[0]!, limits[1]!];
  const shrink = Math.min(1, x.maximum / width, y.maximum / height);
  const scale = shrink < 1 ? shrink : Math.max(1, x.minimum / width, y.minimum / height);
  return { width: sideOf(width * scale, ofWidth), height: sideOf(height * scale, ofHeight) };
}

function sideOf(side: number, { minimum = 1, maximum = Infinity, multipleOf }: Parameter): number {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const [lowest, highest] = [Math.ceil(minimum / step) * step, Math.floor(maximum / step) * step];
  return Math.min(highest, Math.max(lowest, Math.round(side / step) * step));
}

/** Names of sizes that vendors have, by their pixels. */
const NAMED: Readonly<Record<string, string>> = {
  square_hd: '1024x1024',
  square: '512x512',
  portrait_4_3: '768x1024',
  portrait_16_9: '576x1024',
  landscape_4_3: '1024x768',
  landscape_16_9: '1024x576',
};
/** A wrong aspect is worse than a wrong size. */
const WEIGHT_OF_ASPECT = 4;

function nearestOf(wanted: Shape, choices: readonly JsonValue[]): JsonValue | null {
  const distances = choices.map((choice) => ({ choice, distance: distanceOf(wanted, choice) }));
  const [nearest] = distances.filter(({ distance }) => distance < Infinity).sort((a, b) => a.distance - b.distance);
  return nearest?.choice ?? null;
}

function distanceOf({ width, height }: Shape, choice: JsonValue): number {
  const text = typeof choice === 'string' ? (NAMED[choice] ?? choice) : '';
  const [, x, sign, y] = /^(\d+(?:\.\d+)?)([x*:])(\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  if (!Number(x) || !Number(y)) return Infinity;
  const aspect = Math.abs(Math.log(width / height / (Number(x) / Number(y))));
  const area = sign === ':' ? 0 : Math.abs(Math.log((width * height) / (Number(x) * Number(y))));
  return WEIGHT_OF_ASPECT * aspect + area;
}
