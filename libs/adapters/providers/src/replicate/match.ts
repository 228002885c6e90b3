import type { SubmittedTask } from '#generation';
import { recognise, type Match } from '../remote/recognise.ts';
import type { Job } from './states.ts';
import { TRAINED_VERSION } from './targets.ts';

/**
 * Compares a listed prediction or training with a task: by the request key in its webhook if it has one, otherwise by fields,
 * pictures and seed.
 *
 * @param createdAt by our clock
 */
export function matchOf(prediction: Job, createdAt: Date, task: SubmittedTask, since: Date): Match {
  if (prediction.webhook) return prediction.webhook.includes(task.requestKey) ? 'same' : 'other';
  if (!isOfTarget(prediction, task.model.target)) return 'other';
  // Replicate deletes inputs after an hour.
  if ('data_removed' in prediction && prediction.data_removed) return 'possible';
  return recognise({ fields: prediction.input, createdAt }, shownIn(task), since);
}

/** The list does not show where a training goes to. */
function shownIn(task: SubmittedTask): SubmittedTask {
  if (task.model.kind !== 'style') return task;
  const { destination: _, ...mapping } = task.model.mapping;
  return { ...task, model: { ...task.model, mapping } };
}

/** `model` is `owner/name`; the `version` of an official model is `hidden`. */
function isOfTarget({ model, version }: Job, target: string): boolean {
  return target === TRAINED_VERSION || target === model || target.split(':').at(-1) === version;
}
