import { INPUT_NAMES, type InputName } from '../mapping.ts';
import { MODEL_KINDS, TASKS, type ModelKind, type Need, type Parameter, type Task } from '../model.ts';
import type { JsonValue } from '../json.ts';
import {
  badAnswer,
  LEFT_OUT,
  refused,
  type Answers,
  type LeftOut,
  type LeftOutReason,
  type PictureRole,
  type ProposalOptions,
  type Proposal,
  type Question,
  type VendorField,
  type VendorModel,
} from './proposal.ts';
import { parameterName, promptsIn, roleOf, taskOfName } from './roles.ts';
import { fits } from './schema.ts';
import { familyOf } from './styles.ts';

const MAX_REFERENCES = 6;
/** Seconds. These take longer than the default of the catalogue. */
const TIME_LIMITS: Partial<Record<ModelKind, number>> = { video: 1_800, model3d: 900, style: 7_200 };

/** Proposes an entry for a model of any vendor. */
export function proposeEntry(vendor: VendorModel, options: ProposalOptions): Proposal {
  const { answers = {}, provider, price = null } = options;
  const draft = new Draft(answers);
  const prompt = draft.takePrompt(vendor.fields);
  for (const field of vendor.fields) if (field.path !== prompt?.path && roleOf(field) !== 'prompt') draft.take(field);
  const kind = answers.kind ?? vendor.kind;
  if (answers.kind && !MODEL_KINDS.includes(answers.kind)) badChoice('kind', MODEL_KINDS);
  if (!kind) draft.questions.push({ about: 'kind', choices: MODEL_KINDS });
  const tasks = kind && draft.tasks(vendor, kind, prompt);
  if (answers.cost === undefined) draft.questions.unshift(draft.costQuestion(price));
  const { inputs, parameters, mapping } = draft;
  draft.nameStyle(prompt);
  const id = idOf(vendor.name);
  const isStyled = Boolean(vendor.result) || inputs.has('style_weights');
  const timeLimit = kind && TIME_LIMITS[kind];
  return {
    entry: {
      id,
      title: vendor.title ?? titleOf(id),
      ...(vendor.description === null ? {} : { description: vendor.description }),
      ...(kind ? { kind } : {}),
      provider,
      target: vendor.target,
      ...(tasks ? { tasks } : {}),
      ...(isStyled ? { family: familyOf(vendor.target) ?? id } : {}),
      ...(inputs.size > 0 ? { inputs: Object.fromEntries(inputs) } : {}),
      ...(parameters.size > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
      mapping: Object.fromEntries(mapping),
      ...(vendor.result ? { result: vendor.result } : {}),
      ...(answers.cost === undefined ? {} : { cost: answers.cost }),
      ...(timeLimit ? { time_limit: timeLimit } : {}),
    },
    questions: draft.questions,
    leftOut: draft.leftOut,
    workflow: vendor.workflow,
  };
}

const WEIGHTS = JSON.stringify([{ path: '{style_weights}' }]);

/** The parts of an entry while the fields of the vendor are taken one by one. */
class Draft {
  readonly inputs = new Map<InputName | 'style_weights' | 'max_references', Need | number>();
  readonly parameters = new Map<string, Parameter>();
  readonly mapping = new Map<string, JsonValue>();
  readonly questions: Question[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #taskNames = new Set<Task>();

  constructor(private readonly answers: Answers) {}

  /** Maps the prompt. Several nodes of a workflow may have the same one. */
  takePrompt(fields: readonly VendorField[]): VendorField | null {
    const candidates = promptsIn(fields);
    const decided = candidates.filter(({ role }) => role === 'prompt');
    const texts = new Set(decided.map(({ declaration }) => declaration?.default));
    const paths = candidates.map(({ path }) => path);
    if (this.answers.prompt !== undefined && !paths.includes(this.answers.prompt)) badChoice('prompt', paths);
    const chosen = candidates.filter(({ path }) => path === this.answers.prompt);
    if (chosen.length === 0 && texts.size > 1) {
      this.questions.push({ about: 'prompt', choices: decided.map(({ path }) => path) });
      return null;
    }
    const prompts = chosen.length > 0 ? chosen : decided.length > 0 ? decided : candidates.slice(0, 1);
    for (const { path } of prompts) this.mapping.set(path, '{prompt}');
    return prompts[0] ?? null;
  }

  take(field: VendorField): void {
    const role = this.#answered(field) ?? roleOf(field);
    const task = taskOfName(field.name);
    if (task) this.#taskNames.add(task);
    if (role === 'parameter') return this.#declare(field);
    if (role === 'ask' || (role === 'end_frame' && field.isRequired)) return this.#ask(field);
    if (isInput(role)) return this.#map(field, role);
    if (role === 'trigger') return void this.mapping.set(field.path, '{trigger}');
    if (role === 'constant') return void this.mapping.set(field.path, field.template!);
    if (role === 'style_weights') {
      this.inputs.set(role, field.isRequired ? 'required' : 'optional');
      return void this.mapping.set(field.path, field.template!);
    }
    if (role !== 'prompt') this.#leaveOut(field, role);
  }

  /** Weights listen to their word in the prompt; a vendor's reference needs none. */
  nameStyle(prompt: VendorField | null): void {
    const takesWeights = [...this.mapping.values()].some((value) => JSON.stringify(value) === WEIGHTS);
    if (prompt && takesWeights) this.mapping.set(prompt.path, '{style_trigger} {prompt}');
  }

  #answered(field: VendorField): InputName | 'file' | null {
    const { pictures = {} } = this.answers;
    const answer = Object.hasOwn(pictures, field.path) ? pictures[field.path] : undefined;
    if (!field.files || answer === undefined) return null;
    const choices = rolesFor(field);
    if (!choices.includes(answer)) badChoice(`pictures.${field.path}`, choices);
    return answer === 'none' ? 'file' : answer;
  }

  #ask(field: VendorField): void {
    const choices = rolesFor(field).filter((role) => role === 'none' || !this.inputs.has(role));
    this.questions.push({ about: 'picture', field: field.path, description: field.description, choices });
  }

  /** Maps a picture. A list takes the references too. */
  #map(field: VendorField, input: InputName): void {
    if (this.inputs.has(input) || (input === 'references' && field.files === 'one')) return this.#ask(field);
    this.inputs.set(input, field.isRequired ? 'required' : 'optional');
    const name = input === 'mask' ? maskNameOf(field) : input;
    if (field.files === 'one' || field.files === null) return void this.mapping.set(field.path, `{${name}}`);
    const further = (field.files.atMost ?? Infinity) - (input === 'references' ? 0 : 1);
    const takesReferences = input === 'references' || ((input === 'image' || input === 'style') && further > 0);
    if (!takesReferences || (input !== 'references' && this.inputs.has('references'))) {
      return void this.mapping.set(field.path, [`{${input}}`]);
    }
    this.mapping.set(field.path, input === 'references' ? '{references}' : [`{${input}}`, '{references}']);
    if (input !== 'references') this.inputs.set('references', 'optional');
    this.inputs.set('max_references', Math.min(further, MAX_REFERENCES));
  }

  #leaveOut(field: VendorField, reason: LeftOutReason): void {
    const { path, isRequired, declaration } = field;
    if (isRequired) throw refused(`requires ${path.slice(0, 100)}: ${LEFT_OUT[reason]}, which no caller can send`);
    this.leftOut.push({ field: path.slice(0, 100), reason, declaration });
  }

  #declare({ path, name, declaration, isRequired }: VendorField): void {
    const { parameter, values } = asNumbers(name, declaration!);
    const wanted = parameterName(name, parameter);
    const isSame = wanted === 'seed' || JSON.stringify(this.parameters.get(wanted)) === JSON.stringify(parameter);
    const key = this.parameters.has(wanted) && !isSame ? freeName(wanted, this.parameters) : wanted;
    this.mapping.set(path, values ? { from: key, values } : `{${key}}`);
    if (!this.parameters.has(key))
      this.parameters.set(key, this.#withDefault(key, limited(key, parameter), isRequired));
  }

  /** A parameter that the vendor requires needs a default: callers need not send it. */
  #withDefault(name: string, declaration: Parameter, isRequired: boolean): Parameter {
    const { defaults = {} } = this.answers;
    const answer = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (answer !== undefined) {
      if (declaration.type !== 'array' && !fits(declaration, answer))
        throw badAnswer(`defaults.${name}`, 'does not fit');
      return { ...declaration, default: answer };
    }
    if (isRequired && declaration.default === undefined && name !== 'seed') {
      this.questions.push({ about: 'default', parameter: name, declaration });
    }
    return declaration;
  }

  costQuestion(price: Extract<Question, { about: 'cost' }>['price']): Question {
    const parameters = [...this.parameters].filter(
      ([, { type, enum: choices, default: byDefault }]) =>
        byDefault !== undefined && (choices !== undefined || type === 'boolean'),
    );
    const duration = this.parameters.get('duration');
    const units = typeof duration?.default === 'number' ? (['output', 'second'] as const) : (['output'] as const);
    return { about: 'cost', price, parameters: parameters.map(([name]) => name), units };
  }

  /** The tasks that the fields prove. A question where only the name of the model says what it does. */
  tasks({ name, isUnsure }: VendorModel, kind: ModelKind, prompt: VendorField | null): readonly Task[] | null {
    const { answers, inputs } = this;
    if (answers.tasks?.every((task) => TASKS.includes(task)) === false) badChoice('tasks', TASKS);
    if (answers.tasks) return answers.tasks;
    // They follow from the answers.
    if (this.questions.some(({ about }) => about === 'picture')) return null;
    const image = inputs.has('image');
    const needsPicture = [...inputs.values()].includes('required');
    const generates: readonly Task[] = prompt && !needsPicture ? ['generate'] : [];
    if (kind === 'video') return image ? [...generates, 'animate'] : generates;
    if (kind !== 'image' || (!image && !isUnsure)) return generates;
    const inpaints = inputs.has('mask') && !this.#taskNames.has('upscale');
    const varies = prompt && inputs.get('mask') !== 'required' && this.#taskNames.size === 0;
    const proven = [
      ...(inpaints ? (['inpaint'] as const) : []),
      ...this.#taskNames,
      ...(varies ? (['vary'] as const) : []),
    ];
    if (proven.length > 0 && !isUnsure) return [...generates, ...proven];
    this.questions.push({ about: 'tasks', suggested: suggestedBy(name) });
    return null;
  }
}

/** The form of a mask that the vendor's text asks for; by default, white marks the area. */
function maskNameOf({ mask, description }: VendorField): string {
  if (mask) return mask;
  const text = (description ?? '').toLowerCase();
  const changes = '[^.;]{0,60}\\b(?:inpaint|edit|chang|replac|fill|regenerat|modif|remov|generat|repaint|mask)';
  const says = (what: string) => new RegExp(`\\b${what}\\b${changes}`).test(text);
  if (says('(?:transparent|alpha)')) return 'transparent_mask';
  return says('black') && !says('white') ? 'inverted_mask' : 'mask';
}

function rolesFor({ files, isRequired }: VendorField): readonly PictureRole[] {
  const inputs = INPUT_NAMES.filter((input) => input !== 'pictures' && (input !== 'references' || files !== 'one'));
  return isRequired ? inputs : [...inputs, 'none'];
}

function isInput(role: string): role is InputName {
  return (INPUT_NAMES as readonly string[]).includes(role);
}

function suggestedBy(name: string): readonly Task[] {
  if (/rembg|rmbg|remove-?b(ack)?g|background-?remov|birefnet/i.test(name)) return ['remove_background'];
  return /upscal|super-?resolution|esrgan|gfpgan|codeformer|seedvr/i.test(name) ? ['upscale'] : [];
}

/**
 * Counts and durations whose choices are texts, such as `5` and `10s`, as numbers with the vendor's texts. Choices without
 * a number, such as `auto`, are dropped: a call with them could not be charged.
 */
function asNumbers(
  name: string,
  declared: Parameter,
): { readonly parameter: Parameter; readonly values: Record<string, JsonValue> | null } {
  const asNumber: Parameter = { type: 'number' };
  const isCounted = ['count', 'duration'].includes(parameterName(name, asNumber));
  const texts = (declared.type === 'string' && declared.enum) || [];
  const numbers = texts.flatMap((text) => {
    const number = /^([0-9]+(?:\.[0-9]+)?) ?s?$/.exec(String(text))?.[1];
    return number === undefined || Number(number) === 0 ? [] : [[Number(number), text] as const];
  });
  if (!isCounted || numbers.length === 0) return { parameter: declared, values: null };
  const { enum: _, ...others } = declared;
  const byDefault = numbers.find(([, text]) => text === declared.default)?.[0] ?? numbers[0]![0];
  const choices = [...new Set(numbers.map(([number]) => number))];
  const type = choices.every(Number.isInteger) ? 'integer' : 'number';
  return { parameter: { ...others, type, enum: choices, default: byDefault }, values: Object.fromEntries(numbers) };
}

/** Adds what the catalogue requires of parameters with a meaning. */
function limited(name: string, parameter: Parameter): Parameter {
  const { default: byDefault, ...others } = parameter;
  // Otherwise every generation would have the same seed.
  if (name === 'seed') return others;
  if (name !== 'count' && name !== 'duration') return parameter;
  if (parameter.enum) return parameter;
  const { minimum = 0 } = parameter;
  const counted = { ...others, minimum: minimum > 0 ? minimum : 1 };
  const value =
    byDefault !== undefined && fits(counted, byDefault) ? byDefault : name === 'count' ? counted.minimum : null;
  return value === null ? counted : { ...counted, default: value };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}

function idOf(name: string): string {
  const id = name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 100);
  return id === '' ? 'model' : id;
}

function titleOf(id: string): string {
  const words = id.replace(/[-_]+/g, ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

function badChoice(name: string, choices: readonly string[]): never {
  throw badAnswer(name, `must be one of ${choices.slice(0, 20).join(', ')}`);
}
