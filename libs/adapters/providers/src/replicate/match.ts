import type { Prediction } from 'replicate';
import type { SubmittedTask } from '#generation';
import { recognise, type Match } from '../remote/recognise.ts';

/**
 * Compares a listed prediction with a task: by the request key in its webhook if it has one, otherwise by fields,
 * pictures and seed.
 *
 * @param createdAt by our clock
 */
export function matchOf(prediction: Prediction, createdAt: Date, task: SubmittedTask, since: Date): Match {
  if (prediction.webhook) return prediction.webhook.includes(task.requestKey) ? 'same' : 'other';
  if (!isOfTarget(prediction, task.model.target)) return 'other';
  // Replicate deletes inputs after an hour.
  if (prediction.data_removed) return 'possible';
  return recognise({ fields: prediction.input, createdAt }, task, since);
}

/** `model` is `owner/name`; the `version` of an official model is `hidden`. */
function isOfTarget({ model, version }: Prediction, target: string): boolean {
  return target === model || target.split(':').at(-1) === version;
}
