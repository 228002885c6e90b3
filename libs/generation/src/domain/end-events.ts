import type { NewEvent } from '#events';
import type { EndedGeneration, GenerationRequest } from './generation.ts';

/** The events of the end of a generation. That of a trained style has no event of its own when it is canceled. */
export function endEvents(
  { workspaceId, kind, trainedStyle, webhook, customer }: GenerationRequest,
  { id, state, finishedAt: createdAt }: EndedGeneration,
): NewEvent[] {
  const ended: NewEvent = { workspaceId, type: `generation.${state}`, subjectId: id, createdAt, customer, webhook };
  if (kind !== 'style' || state === 'canceled') return [ended];
  const type = state === 'succeeded' ? 'style.ready' : 'style.failed';
  return [ended, { workspaceId, type, subjectId: trainedStyle!.id, createdAt, customer }];
}
