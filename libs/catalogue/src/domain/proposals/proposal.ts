import { invalidField, type DomainError } from '#kernel';
import type { JsonObject, JsonValue } from '../json.ts';
import type { InputName, Mapping } from '../mapping.ts';
import type { Cost, ModelKind, Need, Parameter, StyleResult, Task } from '../model.ts';

/** An entry of the catalogue, as it stands in a file. `kind`, `tasks` and `cost` are absent while they are questions. */
export interface ProposedEntry {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: ModelKind;
  readonly provider: string;
  readonly target: string;
  readonly tasks?: readonly Task[];
  readonly family?: string;
  readonly inputs?: Partial<Record<InputName | 'style_weights', Need>> & { readonly max_references?: number };
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly mapping: Mapping;
  readonly result?: StyleResult;
  readonly cost?: ProposedCost;
  readonly time_limit?: number;
  readonly retires_at?: string;
  readonly successor?: string;
}

/** As in a file of the catalogue. */
export type ProposedCost = number | (Pick<Cost, 'credits'> & Partial<Omit<Cost, 'credits'>>);

/** Price of one unit, in the vendor's words. */
export interface VendorPrice {
  readonly amount: number;
  readonly currency: string;
  /** Such as `image`, `second`, `megapixel`. */
  readonly unit: string;
}

/** Possible use of a picture by the model; `none` leaves the field out. */
export type PictureRole = InputName | 'none';

/** A question that the vendor's schema does not decide. `fields` are the vendor's, as the mapping names them. */
export type Question =
  /** Credits for a call. `parameters` are those whose choices may decide it; `units` are those that can be counted. */
  | {
      readonly about: 'cost';
      readonly price: VendorPrice | null;
      readonly parameters: readonly string[];
      readonly units: readonly Cost['per'][];
    }
  | { readonly about: 'kind'; readonly choices: readonly ModelKind[] }
  /** Any of all tasks, or none. `suggested` only follows from the name of the model. */
  | { readonly about: 'tasks'; readonly suggested: readonly Task[] }
  | {
      readonly about: 'picture';
      readonly field: string;
      readonly description: string | null;
      readonly choices: readonly PictureRole[];
    }
  /** Which of the texts is the prompt. */
  | { readonly about: 'prompt'; readonly choices: readonly string[] }
  /** The vendor requires the field and has no default: the value for callers who send none. */
  | { readonly about: 'default'; readonly parameter: string; readonly declaration: Parameter };

/** Answers to questions, which may also override what the schema decided. */
export interface Answers {
  readonly cost?: ProposedCost;
  readonly kind?: ModelKind;
  readonly tasks?: readonly Task[];
  /** By the vendor's field. */
  readonly pictures?: Readonly<Record<string, PictureRole>>;
  /** The vendor's field. */
  readonly prompt?: string;
  /** By parameter. */
  readonly defaults?: Readonly<Record<string, JsonValue>>;
}

/** Why a field of the vendor is not offered to callers. */
export const LEFT_OUT = {
  file: 'a file that is not a picture',
  weights: 'weights of a style',
  end_frame: 'the last frame of a video, which no input is for',
  safety: "the vendor's moderation",
  secret: 'a secret',
  transport: 'how the vendor is called',
  multiplies: 'multiplies the outputs beyond those that are charged',
  structure: 'a structure',
  name: 'a name that no mapping can set',
  workflow: 'a value of the workflow',
} as const;
export type LeftOutReason = keyof typeof LEFT_OUT;

export interface LeftOut {
  readonly field: string;
  readonly reason: LeftOutReason;
  /** How it could be declared; `null` when it can't be. */
  readonly declaration: Parameter | null;
}

export interface Proposal {
  /** Valid in a catalogue once `questions` is empty. */
  readonly entry: ProposedEntry;
  readonly questions: readonly Question[];
  /** The vendor's fields that are not offered. */
  readonly leftOut: readonly LeftOut[];
  /** For ComfyUI: the workflow, which the entry names as its target. */
  readonly workflow: JsonObject | null;
}

export interface ProposalOptions {
  /** The id of the provider in the catalogue. */
  readonly provider: string;
  readonly answers?: Answers;
  /** The vendor's price, if the vendor reports it. */
  readonly price?: VendorPrice | null;
}

/** Source of a proposal: the model as a vendor describes it, in one shape for all vendors. */
export interface VendorModel {
  /** The basis of id and title: `flux/dev`. */
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly target: string;
  readonly fields: readonly VendorField[];
  /** `null` when the vendor does not publish it. */
  readonly kind: ModelKind | null;
  readonly workflow: JsonObject | null;
  /** Where it returns the style that it trains; absent for a model that makes files. */
  readonly result?: StyleResult | null;
  /** Its tasks are a question, whatever its fields are. */
  readonly isUnsure?: boolean;
}

export interface VendorField {
  /** Its path in the mapping. */
  readonly path: string;
  readonly name: string;
  readonly description: string | null;
  readonly isRequired: boolean;
  /** For a field that takes files: how many; `null` for others. */
  readonly files: 'one' | { readonly atMost: number | null } | null;
  /** Its JSON Schema, reduced to what a catalogue may declare; `null` for a structure. */
  readonly declaration: Parameter | null;
  /** The role where the vendor's structure decides it. Otherwise the name does. */
  readonly role?: Role;
  /** The name of the mask in its mapping, where the vendor's structure decides its form. */
  readonly mask?: string;
  /** Value of its mapping, where the role says that the vendor's structure decides it. */
  readonly template?: JsonValue;
}

/** Use of a field. */
export type Role =
  | 'prompt'
  | InputName
  | 'trigger'
  | 'style_weights'
  | 'constant'
  | 'parameter'
  | 'ask'
  | LeftOutReason;

/** A model or schema for which no entry can be proposed. */
export function refused(problem: string): DomainError {
  return invalidField('target', problem);
}

export function badAnswer(name: string, problem: string): DomainError {
  return invalidField(`answers.${name}`, problem);
}
