import { DELIVERY_STATES, type Delivery } from '#webhooks';
import {
  ChoiceField,
  dtoOf,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

export class WebhookSecretResponse {
  @TextField('Secret that signs webhooks, in the format of Standard Webhooks.', {
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret!: string;
}

export class DeliveriesQuery {
  @IntegerField('Only deliveries of this generation.', { example: 12, min: 1, required: false }) generation_id?: number;
  @IntegerField('Only deliveries of this batch.', { example: 3, min: 1, required: false }) batch_id?: number;
  @IntegerField('Only deliveries to this endpoint.', { example: 4, min: 1, required: false }) endpoint_id?: number;
}

export class AttemptDto {
  @TimeField('When it began.') at!: Date;
  @IntegerField('HTTP status of the receiver; null without a response.', { example: 500, nullable: true })
  status!: number | null;

  @TextField(
    'Null when it succeeded, or else `status_not_2xx`, `redirect_not_followed`, `url_blocked`, `url_unreachable`, ' +
      '`url_timeout`, `unavailable` or `internal_error`.',
    { example: 'status_not_2xx', nullable: true },
  )
  error!: string | null;

  @IntegerField('Duration in milliseconds.', { example: 84, min: 0 }) duration_ms!: number;
}

export class DeliveryDto {
  @IntegerField('Identifier.', { example: 5 }) id!: number;
  @IntegerField('Generation that has ended; otherwise null.', { example: 12, nullable: true })
  generation_id!: number | null;

  @IntegerField('Batch that has ended; otherwise null.', { example: null, nullable: true })
  batch_id!: number | null;

  @IntegerField('Endpoint that gets an event; null for a `webhook` of a call.', { example: null, nullable: true })
  endpoint_id!: number | null;

  @TextField('Its `webhook-id`: the identifier of the event.', { example: '7e7ba6a5-4c0e-4b52-a1dc-7b0d6f0a9f35' })
  message_id!: string;

  @UrlField('URL that is called.', { example: 'https://example.com/hooks/x12' }) url!: string;

  @ChoiceField(DELIVERY_STATES, 'Failed once the last attempt has failed or the receiver has responded with 410.', {
    example: 'delivered',
  })
  state!: Delivery['state'];

  @ListField(() => AttemptDto, 'The latest 50 attempts, oldest first.') attempts!: AttemptDto[];
  @TimeField('When it is called next; null once it is delivered or failed.', { nullable: true })
  next_attempt_at!: Date | null;
}

export function deliveryDto(delivery: Delivery): DeliveryDto {
  return dtoOf(DeliveryDto, { ...delivery, attempts: delivery.attempts.map((each) => dtoOf(AttemptDto, each)) });
}

export class DeliveryResponse {
  @ObjectField(() => DeliveryDto, 'The delivery, which is pending again.') delivery!: DeliveryDto;
}

export class DeliveriesResponse extends PageResponse {
  @ListField(() => DeliveryDto, 'Deliveries of the last 30 days, newest first.') deliveries!: DeliveryDto[];
}
