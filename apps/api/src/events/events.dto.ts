import {
  EVENT_TYPES,
  readableTypes,
  SUBJECT_TYPES,
  type EventData,
  type EventFilter,
  type EventType,
  type ShownEvent,
  type SubjectType,
} from '#events';
import { customerFilterFor, may, type Actor } from '#identity';
import { invalidField } from '#kernel';
import {
  ChoiceField,
  CustomerFilter,
  IdOrNameField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';

export class EventSubjectDto {
  @ChoiceField(SUBJECT_TYPES, 'Its type.', { example: 'generation' }) type!: SubjectType;
  @IdOrNameField('Its id; for models their name.', { example: 12 }) id!: number | string;
}

/** An event. */
export class EventDto implements ShownEvent {
  @TextField('Identifier, also that of its deliveries.', { example: '7e7ba6a5-4c0e-4b52-a1dc-7b0d6f0a9f35' })
  id!: string;
  @IntegerField('Grows with each event of the workspace.', { example: 4711, min: 1 }) number!: number;
  @ChoiceField(EVENT_TYPES, 'What happened.', { example: 'generation.succeeded' }) type!: EventType;
  @TimeField('When it happened.') created_at!: Date;
  @ObjectField(() => EventSubjectDto, 'The object that it happened to.') subject!: EventSubjectDto;
  @TextField('`customer` of the object.', { example: null, nullable: true }) customer!: string | null;
  @JsonField('The object, as its GET returned it then.', { example: { id: 12, state: 'succeeded' } }) data!: EventData;
}

export class EventsQuery {
  @TextField('Only events of these types, separated by commas.', {
    example: 'generation.succeeded,generation.failed',
    max: 1000,
    required: false,
  })
  types?: string;

  @TextField('Only events of this object, by its type and identifier.', {
    example: 'generation:12',
    max: 200,
    required: false,
  })
  subject?: string;
}

export class EventsListQuery extends EventsQuery {
  @CustomerFilter() customer?: string;
  @IntegerField('Only events with greater numbers. Default: 0.', { example: 4710, min: 0, required: false })
  after?: number;
  @IntegerField('Only events with lower numbers.', { example: 4810, min: 1, required: false }) before?: number;
  @ChoiceField(['oldest', 'newest'], 'Which events come first. Default: `oldest`.', {
    example: 'oldest',
    required: false,
  })
  order?: 'oldest' | 'newest';
  @IntegerField('Events at most. Default: 50.', { example: 50, min: 1, max: 200, required: false }) limit?: number;
}

export class FollowQuery extends EventsQuery {
  @IntegerField('Begins after this number; `Last-Event-ID` goes before it. Default: with the next event.', {
    example: 4710,
    min: 0,
    required: false,
  })
  after?: number;
}

export class EventsResponse {
  @ListField(() => EventDto, 'Events of the last 30 days, in the requested order.') events!: EventDto[];
}

/**
 * The filter of a query, without the types that the actor may not read.
 *
 * @throws DomainError `validation_failed` for types and subjects that there are not; `forbidden` for another customer
 * than that of the token
 */
export function eventFilter({ types, subject, customer }: Partial<EventsListQuery>, actor: Actor): EventFilter {
  const readable = readableTypes(may('event.read_of_team', actor));
  const wanted = types === undefined ? readable : typesOf(types).filter((type) => readable.includes(type));
  return {
    types: wanted.length === EVENT_TYPES.length ? undefined : wanted,
    subject: subject === undefined ? undefined : subjectOf(subject),
    customer: customerFilterFor(actor, customer),
  };
}

/** @throws DomainError `validation_failed` */
export function typesOf(text: string): readonly EventType[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !EVENT_TYPES.includes(type as EventType));
  if (unknown !== undefined) throw invalidField('types', `must be some of ${EVENT_TYPES.join(', ')}`);
  return [...new Set(types as EventType[])];
}

function subjectOf(text: string): { readonly type: SubjectType; readonly id: string } {
  const [, type, id] = /^([a-z_]+):(.+)$/s.exec(text) ?? [];
  if (id !== undefined && SUBJECT_TYPES.includes(type as SubjectType)) return { type: type as SubjectType, id };
  throw invalidField('subject', `must be one of ${SUBJECT_TYPES.join(', ')}, a colon and an id, such as generation:12`);
}
