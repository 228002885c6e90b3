export type ModelKind = 'image' | 'video';

export type ParameterValue = string | number | boolean;

/** One parameter that a model declares; what a caller sends for it is checked against this. */
export type Parameter =
  | {
      readonly type: 'integer' | 'number';
      readonly description: string;
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    }
  | {
      readonly type: 'string';
      readonly description: string;
      readonly maxLength: number;
      readonly enum?: readonly string[];
      readonly default?: string;
    }
  | { readonly type: 'boolean'; readonly description: string; readonly default?: boolean };

/** A generator as a provider offers it. */
export interface Model {
  /** The value of the request's `model`. */
  readonly id: string;
  readonly kind: ModelKind;
  readonly provider: string;
  readonly description: string;
  /** Credits for one output; a call costs this times `count`. */
  readonly cost: number;
  readonly inputs: {
    readonly image: 'required' | 'optional' | 'none';
    readonly styleReference: 'required' | 'optional' | 'none';
  };
  readonly parameters: Readonly<Record<string, Parameter>>;
}
