import { validateSync } from 'class-validator';
import { DomainError } from '#kernel';
import { fieldsOf } from './fields/field.ts';
import type { FieldValues } from './field-values.ts';

/**
 * The form of class `type` that `record` holds. Fields that the class does not declare are left out.
 *
 * @throws DomainError `validation_failed` that names every field that breaks its rules
 */
export function readFields<T extends object>(type: new () => T, record: FieldValues): T {
  const form = new type();
  for (const [name, parse] of fieldsOf(type) ?? []) {
    const value = parse(record[name]);
    if (value !== undefined) (form as Record<string, unknown>)[name] = value;
  }
  const refused = validateSync(form, { forbidUnknownValues: false });
  if (refused.length === 0) return form;
  const fields = Object.fromEntries(
    refused.map(({ property, constraints }) => [property, Object.values(constraints ?? {})]),
  );
  const message = Object.entries(fields)
    .map(([name, problems]) => `${name} ${problems.join(' and ')}`)
    .join('; ');
  throw new DomainError('validation_failed', message, { fields });
}
