import { EVENT_TYPES, type EventType } from '#events';
import { invalidField } from '#kernel';
import {
  ENDPOINT_STATES,
  endpointState,
  MAX_ENDPOINTS,
  type Endpoint,
  type EndpointFields,
  type EventRange,
} from '#webhooks';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  IntegerField,
  ListField,
  ObjectField,
  TextField,
  TextsField,
  TimeBoundField,
  TimeField,
  timeOf,
  UrlField,
} from '../http/index.ts';

const ALL = '*';
const URL_EXAMPLE = { example: 'https://example.com/hooks/events' };

export class UpdateEndpointRequest {
  @UrlField('Called with each event. Its host must be public, its port 80 or 443.', { ...URL_EXAMPLE, required: false })
  url?: string;

  @TextsField('Types of events, or `*` for all.', {
    example: ['generation.succeeded'],
    max: EVENT_TYPES.length,
    maxUnits: 100,
    required: false,
  })
  types?: readonly string[];

  @TextField('For people.', { example: 'Billing', max: 500, required: false, nullable: true })
  description?: string | null;
  @BooleanField('False for no events, until it is true again.', { example: true, required: false }) active?: boolean;
}

export class CreateEndpointRequest extends UpdateEndpointRequest {
  @UrlField('Called with each event. Its host must be public, its port 80 or 443.', URL_EXAMPLE) declare url: string;
}

export class RedeliverRequest {
  @TextsField('Ids of events.', {
    example: ['7e7ba6a5-4c0e-4b52-a1dc-7b0d6f0a9f35'],
    max: 1000,
    maxUnits: 36,
    required: false,
  })
  event_ids?: readonly string[];

  @TimeBoundField('Instead of ids: events after this time.') after?: string;
  @TimeBoundField('Until this time. Default: now.') before?: string;
}

/** A receiver of events. */
export class EndpointDto {
  @IntegerField('Identifier.', { example: 4 }) id!: number;
  @UrlField('URL that is called.', URL_EXAMPLE) url!: string;
  @ListField(() => String, 'Types of events; `*` for all.', { example: ['*'] }) types!: readonly string[];
  @TextField('For people.', { example: 'Billing', nullable: true }) description!: string | null;
  @BooleanField('False once it was disabled, by a person or by three days of failures.', { example: true })
  active!: boolean;

  @ChoiceField(ENDPOINT_STATES, '`failing`: its latest call failed.', { example: 'active' })
  state!: (typeof ENDPOINT_STATES)[number];

  @TextField('Code of the latest failure, as in its deliveries; null after a success.', {
    example: null,
    nullable: true,
  })
  last_error!: string | null;

  @TimeField('Since when all calls have failed.', { nullable: true }) failing_since!: Date | null;
  @TimeField('When it was made.') created_at!: Date;
}

export class NewEndpointDto extends EndpointDto {
  @TextField('Secret that signs its calls, in the format of Standard Webhooks. It is shown only here.', {
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret!: string;
}

export class NewEndpointResponse {
  @ObjectField(() => NewEndpointDto, 'The endpoint, with its secret.') webhook_endpoint!: NewEndpointDto;
}

export class EndpointResponse {
  @ObjectField(() => EndpointDto, 'The endpoint.') webhook_endpoint!: EndpointDto;
}

export class EndpointsResponse {
  @ListField(() => EndpointDto, `Endpoints of the workspace, oldest first: at most ${MAX_ENDPOINTS}.`)
  webhook_endpoints!: EndpointDto[];
}

export class RedeliveredResponse {
  @IntegerField('Events that are delivered again: the oldest 10,000 at most.', { example: 17, min: 0 })
  events!: number;
}

export function endpointDto(endpoint: Endpoint): EndpointDto {
  const { types, isActive: active } = endpoint;
  return dtoOf(EndpointDto, { ...endpoint, types: types ?? [ALL], active, state: endpointState(endpoint) });
}

export function newEndpointDto(endpoint: Endpoint): NewEndpointDto {
  return { ...endpointDto(endpoint), secret: endpoint.secret };
}

/** @throws DomainError `validation_failed` for types that there are not */
export function endpointFields({ url, types, description, active }: UpdateEndpointRequest): Partial<EndpointFields> {
  return {
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types: takenTypes(types) }),
    ...(description === undefined ? {} : { description }),
    ...(active === undefined ? {} : { isActive: active }),
  };
}

/** @returns `null` for all */
function takenTypes(types: readonly string[]): readonly EventType[] | null {
  if (types.includes(ALL)) return null;
  const isKnown = types.length > 0 && types.every((type) => EVENT_TYPES.includes(type as EventType));
  if (!isKnown) throw invalidField('types', `must be * or some of ${EVENT_TYPES.join(', ')}`);
  return [...new Set(types as EventType[])];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws DomainError `validation_failed` */
export function rangeOf({ event_ids: ids, after, before }: RedeliverRequest, now: Date): EventRange {
  if ((ids === undefined) === (after === undefined)) {
    throw invalidField('event_ids', 'or after is required, not both');
  }
  // An id that can't be one is that of no event.
  if (ids) return { ids: ids.filter((id) => UUID.test(id)) };
  return { after: timeOf('after', after)!, before: timeOf('before', before) ?? now };
}
