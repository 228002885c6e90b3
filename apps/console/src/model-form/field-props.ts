import type { ParameterField } from './parameter-fields.ts';

export interface FieldProps<F = ParameterField> {
  readonly field: F;
  readonly value: unknown;
  readonly error: string | undefined;
  /** Undefined restores the default. */
  readonly onChange: (value: unknown) => void;
}
