import type { DryRunResponse, GenerateRequest, GenerationResponse, ModelDto } from '../api/index.ts';
import { unsigned } from '../file-url.ts';
import { fileName } from '../text.ts';
import type { PickedMedia } from '../ui/index.ts';
import { variablesOf } from './variables.ts';

/** Begins the field of a variable in errors. */
export const VARIABLE = 'variables.';

/** The content of the form. Pictures and parameters are kept when the model changes. */
export interface Draft {
  readonly model: string | null;
  readonly pid: number | null;
  readonly prompt: string;
  /** Values of the variables of the prompt; null for a prompt without variables, whose braces are text. */
  readonly variables: Readonly<Record<string, string>> | null;
  readonly image: PickedMedia | null;
  /** `none` uses no style; null uses the persona's. */
  readonly style: PickedMedia | 'none' | null;
  /** The id of a trained style of the persona, or `none`; null uses its active one. */
  readonly trainedStyle: number | 'none' | null;
  readonly references: readonly PickedMedia[];
  readonly mask: PickedMedia | null;
  readonly control: PickedMedia | null;
  /** By name; absent parameters have their default. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const EMPTY_DRAFT: Draft = {
  model: null,
  pid: null,
  prompt: '',
  variables: null,
  image: null,
  style: null,
  trainedStyle: null,
  references: [],
  mask: null,
  control: null,
  parameters: {},
};

/** Reports whether nothing but model and persona is chosen. */
export function isEmpty({ model: _, pid: __, ...content }: Draft): boolean {
  return Object.entries(content).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(EMPTY_DRAFT[name as keyof Draft]),
  );
}

/** Starts over with the same model and persona. */
export function emptied({ model, pid }: Draft): Draft {
  return { ...EMPTY_DRAFT, model, pid };
}

export type InputName = keyof Pick<Draft, 'image' | 'style' | 'references' | 'mask' | 'control'>;

/** The fields of the request in which an input is sent. */
export const FIELDS_OF: Readonly<Record<InputName, readonly string[]>> = {
  image: ['image'],
  style: ['style_transfer'],
  references: [1, 2, 3, 4, 5, 6].map((position) => `extra_image_${position}`),
  mask: ['mask_image'],
  control: ['control_image'],
};

/** The body of a request, with the parameters of the model. */
export type Body = GenerateRequest & { readonly [parameter: string]: unknown };

/** The request for a draft, with the pictures and parameters that the model takes. */
export function requestOf(draft: Draft, model: ModelDto): Body {
  const { inputs } = model;
  const takes = (input: InputName) => inputs[input] !== 'none';
  const references = takes('references') ? draft.references.slice(0, inputs.max_references) : [];
  return withoutAbsent({
    ...parametersFor(draft, model),
    model: model.id,
    pid: draft.pid,
    prompt: draft.prompt.trim(),
    variables: draft.variables && valuesFor(draft),
    image: takes('image') ? urlOf(draft.image) : null,
    parent: takes('image') ? draft.image?.output : null,
    style_transfer: takes('style') ? styleOf(draft) : null,
    style_id: draft.pid !== null && inputs.style_weights !== 'none' ? draft.trainedStyle : null,
    mask_image: takes('mask') ? urlOf(draft.mask) : null,
    control_image: takes('control') ? urlOf(draft.control) : null,
    ...Object.fromEntries(references.map((each, at) => [`extra_image_${at + 1}`, urlOf(each)])),
  });
}

/** An empty value is a missing one. */
function valuesFor({ prompt, variables }: Draft): Readonly<Record<string, string>> {
  const given = variablesOf(prompt).map((name) => [name, variables?.[name] ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function parametersFor({ parameters }: Draft, model: ModelDto): Draft['parameters'] {
  const declared = (model.parameters.properties ?? {}) as object;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name in declared));
}

/** `none` is only sent with a persona, which has a style to leave out. */
function styleOf({ style, pid }: Draft): string | null {
  if (style === 'none') return pid === null ? null : style;
  return urlOf(style);
}

const urlOf = (media: PickedMedia | null) => media && unsigned(media.url);

function withoutAbsent(fields: Readonly<Record<string, unknown>>): Body {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(given);
}

type Inputs = DryRunResponse['inputs'];

/** The inputs that come from the persona, without those that the request names. */
export function inputsOfPersona(inputs: Inputs, request: Body): Inputs {
  return {
    image: request.image ? null : inputs.image,
    start_frame: request.image ? null : inputs.start_frame,
    style_reference: request.style_transfer ? null : inputs.style_reference,
    references: request.extra_image_1 ? [] : inputs.references,
    mask: null,
    control: null,
    pictures: [],
  };
}

/**
 * The draft that repeats a generation. It names each picture by its URL, so that later changes of the persona's slots have
 * no effect. It leaves the persona out if the persona would add a main image that the generation did not have.
 */
export function draftOf(generation: GenerationResponse, model: ModelDto | undefined): Draft {
  const { inputs, pid, parameters, prompt } = generation;
  const image = inputs.image ?? inputs.start_frame;
  const isOfPersona = image !== null || model?.inputs.image === 'none';
  const picture = (url: string | null) => (url === null ? null : { url, content_type: 'image/*', name: fileName(url) });
  return {
    model: generation.model,
    pid: isOfPersona ? pid : null,
    prompt: prompt ?? '',
    variables: null,
    image: image === null ? null : { ...picture(image)!, output: generation.parent },
    style: picture(inputs.style_reference) ?? 'none',
    trainedStyle: generation.style?.id ?? 'none',
    references: inputs.references.map((url) => picture(url)!),
    mask: picture(inputs.mask),
    control: picture(inputs.control),
    parameters,
  };
}

/** Reports whether a field of the request is an input picture or a variable that the draft lacks. */
export function isMissing(field: string, draft: Draft): boolean {
  if (field.startsWith(VARIABLE)) return !draft.variables?.[field.slice(VARIABLE.length)];
  const input = (Object.keys(FIELDS_OF) as InputName[]).find((each) => FIELDS_OF[each].includes(field));
  if (input === undefined) return false;
  return input === 'references' ? draft.references.length === 0 : draft[input] === null || draft[input] === 'none';
}
