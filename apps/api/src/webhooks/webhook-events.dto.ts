import { BATCH_STATES, type BatchState } from '#batch';
import { CellCountsDto } from '../batch/batches.dto.ts';
import { ResultsResponse } from '../generation/results.dto.ts';
import { BooleanField, ChoiceField, IntegerField, ObjectField, TextField, TimeField } from '../http/index.ts';

const GENERATION_EVENTS = ['generation.succeeded', 'generation.failed', 'generation.canceled'] as const;
const BATCH_EVENTS = ['batch.ended'] as const;

export class GenerationEventData extends ResultsResponse {
  @IntegerField('Identifier of the generation.', { example: 12 }) generation_id!: number;
  @BooleanField('Always true.', { example: true }) status!: true;
}

/** The body of the webhook of a generation. */
export class GenerationEvent {
  @ChoiceField(GENERATION_EVENTS, 'How the generation ended.', { example: 'generation.succeeded' })
  type!: (typeof GENERATION_EVENTS)[number];
  @TimeField('When it ended.') timestamp!: Date;
  @ObjectField(() => GenerationEventData, 'The body of `/v2/results`, with the identifier.') data!: GenerationEventData;
}

export class BatchEventData {
  @IntegerField('Identifier of the batch.', { example: 3 }) batch_id!: number;
  @BooleanField('Always true.', { example: true }) status!: true;
  @TextField('Its name.', { example: 'Animals' }) name!: string;
  @ChoiceField(BATCH_STATES, 'Its state.', { example: 'ended' }) state!: BatchState;
  @ObjectField(() => CellCountsDto, 'The cells by state.') cells!: CellCountsDto;
  @IntegerField('Credits reserved for all cells when they were accepted.', { example: 32, min: 0 }) cost!: number;
  @IntegerField('Credits charged for succeeded cells.', { example: 8, min: 0 }) used!: number;
  @TimeField('When it was requested.') created_at!: Date;
  @TimeField('When its last cell ended.', { nullable: true }) ended_at!: Date | null;
}

/** The body of the webhook of a batch. */
export class BatchEvent {
  @ChoiceField(BATCH_EVENTS, 'The batch has ended.', { example: 'batch.ended' }) type!: (typeof BATCH_EVENTS)[number];
  @TimeField('When it ended.') timestamp!: Date;
  @ObjectField(() => BatchEventData, 'The batch.') data!: BatchEventData;
}

/** The events that are sent, each with the class of its body and its description. */
export const WEBHOOK_EVENTS = [
  ...GENERATION_EVENTS.map((type) => ({ type, body: GenerationEvent, summary: 'A generation has ended' })),
  ...BATCH_EVENTS.map((type) => ({ type, body: BatchEvent, summary: 'A batch has ended' })),
];
