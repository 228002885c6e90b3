import type { ModelDto, OutputReferenceDto } from '../../api/index.ts';
import { unsigned } from '../../file-url.ts';

/** The tasks that one click starts. Extending and editing need a mask. */
export const ONE_CLICK = ['vary', 'upscale', 'remove_background', 'animate'] as const;
export type OneClick = (typeof ONE_CLICK)[number];

export interface PricedModel {
  readonly model: ModelDto;
  /** Credits. */
  readonly price: number;
}

export interface TaskAction extends PricedModel {
  readonly task: OneClick;
}

/** One-click actions on a picture: for each task its cheapest model that needs nothing but the picture. */
export function taskActions(models: readonly ModelDto[]): readonly TaskAction[] {
  return ONE_CLICK.flatMap((task) => {
    const [cheapest] = byPrice(models.filter((model) => model.tasks.includes(task) && needsOnly(model, 'image')));
    return cheapest ? [{ task, ...cheapest }] : [];
  });
}

/**
 * The models that change the white area of a mask (`inpaint`), or fill what is added to the sides of a picture
 * (`outpaint`): the cheapest first, and those that need no vendor last.
 */
export function editModels(models: readonly ModelDto[], task: 'inpaint' | 'outpaint'): readonly PricedModel[] {
  const fitting = models.filter(({ tasks, inputs }) => tasks.includes(task) && inputs.mask !== 'none');
  return vendorsFirst(fitting.filter((model) => needsOnly(model, 'image', 'mask')));
}

/** The cheapest model that makes a mask of each object of a picture; one that needs no vendor only if it is alone. */
export function objectModel(models: readonly ModelDto[]): PricedModel | null {
  return vendorsFirst(models.filter((model) => model.kind === 'mask' && needsOnly(model, 'image')))[0] ?? null;
}

/** By price; the local models, which stand in for those of vendors, come last. */
function vendorsFirst(models: readonly ModelDto[]): readonly PricedModel[] {
  const isLocal = ({ provider }: ModelDto) => provider === 'local';
  return [...byPrice(models.filter((model) => !isLocal(model))), ...byPrice(models.filter(isLocal))];
}

function byPrice(models: readonly ModelDto[]): readonly PricedModel[] {
  return models.map((model) => ({ model, price: priceByDefault(model) })).sort((a, b) => a.price - b.price);
}

/** Reports whether the model takes a picture, and requires nothing but these inputs. */
function needsOnly({ inputs, parameters }: ModelDto, ...given: readonly ('image' | 'mask')[]): boolean {
  const required = (parameters as { readonly required?: readonly string[] }).required ?? [];
  const isRequired = ([name, need]: readonly [string, unknown]) =>
    need === 'required' && !(given as readonly string[]).includes(name);
  return inputs.image !== 'none' && !Object.entries(inputs).some(isRequired) && required.length === 0;
}

/** A picture that something goes on from. */
export interface Origin {
  readonly url: string;
  /** The persona that gets what comes of it. */
  readonly pid: number | null;
  /** The output that the picture is; null for other pictures. */
  readonly output: OutputReferenceDto | null;
}

/** The fields of a request that goes on from a picture. */
export function requestOn({ url, pid, output }: Origin, { inputs, id }: ModelDto) {
  return {
    model: id,
    image: unsigned(url),
    ...(output && { parent: output }),
    // The persona gets the output; its pictures are for other generations.
    ...(pid !== null && { pid, ...(inputs.style !== 'none' && { style_transfer: 'none' }) }),
  };
}

/** An output as addresses name it, such as `12-0`. With a point, the router would read it as a number. */
export function outputText({ generation_id, output }: OutputReferenceDto): string {
  return `${generation_id}-${output}`;
}

/** The output of `12-0`. */
export function outputOf(text: unknown): OutputReferenceDto | null {
  const [, generation, output] = /^(\d+)-(\d+)$/.exec(String(text)) ?? [];
  return generation === undefined ? null : { generation_id: Number(generation), output: Number(output) };
}

interface Declared {
  readonly default?: unknown;
}

/** The credits of a call without parameters, as the service computes them. */
export function priceByDefault({ cost, cost_parameter, cost_per, parameters }: ModelDto): number {
  const declared = (parameters.properties ?? {}) as Readonly<Record<string, Declared>>;
  const amount = typeof cost === 'number' ? cost : (cost[String(declared[cost_parameter ?? '']?.default)] ?? 0);
  if (amount <= 0) return 0;
  const times = declared[cost_per === 'second' ? 'duration' : 'count']?.default;
  const exact = amount * (typeof times === 'number' ? times : 1);
  return Math.max(1, Math.ceil(Number(exact.toFixed(6))));
}

/** The way to the composer with a picture as its image. */
export function imageLink({ url, output }: Pick<Origin, 'url' | 'output'>) {
  return { to: '/generate', search: { image: unsigned(url), ...(output && { parent: outputText(output) }) } } as object;
}
