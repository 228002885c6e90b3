import { settingLabel } from '../text.ts';

/** The form field of a parameter of a model. */
export type ParameterField = {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  /** The value that applies when none is sent. */
  readonly byDefault?: unknown;
} & (
  | { readonly kind: 'toggle' }
  | { readonly kind: 'seed' }
  | { readonly kind: 'json' }
  | { readonly kind: 'text'; readonly maxLength?: number }
  | { readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
  | { readonly kind: 'slider'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly step: number }
);

type Kind<K = ParameterField> = K extends { kind: string }
  ? Omit<K, 'name' | 'label' | 'description' | 'byDefault'>
  : never;

interface Schema {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly default?: unknown;
  readonly enum?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly multipleOf?: unknown;
  readonly maxLength?: unknown;
  readonly const?: unknown;
  readonly deprecated?: unknown;
}

/** Maximum values of a whole number that is shown as buttons. */
const MAX_BUTTONS = 8;
/** Maximum range of a whole number that is shown as a slider; larger ranges are typed. */
const MAX_SLIDER_RANGE = 200;

/**
 * The form fields for a JSON Schema of an object. Parameters of unknown shape are entered as JSON. Parameters without
 * effect, or with only one possible value, have no field.
 */
export function parameterFields(parameters: { readonly [keyword: string]: unknown }): ParameterField[] {
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, Schema>>;
  const asked = Object.entries(properties).filter(([, schema]) => !schema.deprecated && !hasOneValue(schema));
  return asked.map(([name, schema]) => ({
    name,
    label: typeof schema.title === 'string' ? schema.title : settingLabel(name),
    description: textOf(schema.description),
    byDefault: schema.default,
    ...kindOf(name, schema),
  }));
}

function hasOneValue({ const: only, enum: choices, minimum, maximum }: Schema): boolean {
  if (only !== undefined || (Array.isArray(choices) && choices.length === 1)) return true;
  return minimum !== undefined && minimum === maximum;
}

function kindOf(name: string, schema: Schema): Kind {
  const choices = choicesOf(schema.enum);
  if (choices) return { kind: 'choice', choices };
  switch (typeOf(schema.type)) {
    case 'boolean':
      return { kind: 'toggle' };
    case 'integer':
      return name === 'seed' ? { kind: 'seed' } : numberKind(schema, true);
    case 'number':
      return numberKind(schema, false);
    case 'string':
      return { kind: 'text', maxLength: numberOf(schema.maxLength) };
    default:
      return { kind: 'json' };
  }
}

function numberKind(schema: Schema, isWhole: boolean): Kind {
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  if (min === undefined || max === undefined) return { kind: 'number', min, max, step: isWhole ? 1 : 0.1 };
  const range = max - min;
  const step = numberOf(schema.multipleOf) ?? (isWhole ? 1 : 10 ** Math.floor(Math.log10(range / 50)));
  if (isWhole && step === 1 && range < MAX_BUTTONS) {
    return { kind: 'choice', choices: Array.from({ length: range + 1 }, (_, index) => min + index) };
  }
  return { kind: isWhole && range > MAX_SLIDER_RANGE ? 'number' : 'slider', min, max, step };
}

function choicesOf(values: unknown): (string | number)[] | null {
  if (!Array.isArray(values) || values.length === 0) return null;
  const isSimple = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isSimple ? (values as (string | number)[]) : null;
}

/** The type that is not null in a list of types. */
function typeOf(type: unknown): unknown {
  return Array.isArray(type) ? type.find((each) => each !== 'null') : type;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
