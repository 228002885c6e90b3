import { customerProblem, MAX_CUSTOMER, MAX_METADATA, metadataProblem, type Metadata } from '#kernel';
import { field, type FieldOptions } from './field.ts';
import { JsonField } from './list-fields.ts';
import { TextField } from './text-fields.ts';

const OPTIONAL = { required: false, nullable: true } as const;
const { keys, key, value } = MAX_METADATA;

/** The label of a customer. */
export function CustomerField(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(
    {
      schema: { type: 'string', minLength: 1, maxLength: MAX_CUSTOMER },
      problem: (text) => (typeof text === 'string' ? customerProblem(text) : 'must be a string'),
    },
    description,
    { example: 'user-4711', ...options },
  );
}

/** Texts by name. */
export function MetadataField(title: string, options: FieldOptions<Metadata>): PropertyDecorator {
  return JsonField(
    `${title}: an object with at most ${keys} keys of 1 to ${key} characters, and texts of at most ${value} ` +
      'characters; in a form its JSON text.',
    {
      schema: { type: 'object', maxProperties: keys, additionalProperties: { type: 'string', maxLength: value } },
      check: metadataProblem,
      ...options,
    },
  );
}

/** The data that callers attach to an object, in a request. */
export class CustomDataRequest {
  @CustomerField(
    'Your own label for the user of your application that this is for. Labels do not separate data: use workspaces for that.',
    OPTIONAL,
  )
  customer?: string | null;

  @MetadataField('Data of your own', { example: { order: 'A-17' }, ...OPTIONAL })
  metadata?: Metadata | null;
}

/** The customer of an object in a response, and the metadata. */
export const ShownCustomer = () => TextField('The customer that was given.', { example: 'user-4711', nullable: true });

export const ShownMetadata = () =>
  JsonField('The data that was given.', {
    example: { order: 'A-17' },
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    nullable: true,
  });

export class CustomDataDto {
  @ShownCustomer() customer!: string | null;
  @ShownMetadata() metadata!: Metadata | null;
}

/** The query field of lists that can be filtered by customer. */
export const CustomerFilter = () => CustomerField('Only entries of this customer.', { required: false });

/** The custom data of a request for a new object. */
export function customDataOf({ customer, metadata }: CustomDataRequest) {
  return { customer: customer ?? null, metadata: metadata ?? null };
}
