import { isDeepStrictEqual } from 'node:util';
import type { Prediction } from 'replicate';
import { vendorFields, type RemoteTask } from '#generation';

/**
 * Whether a prediction is the one of this task:
 * - the request key in its webhook decides, where it has a webhook,
 * - otherwise prompt, seed and parameters, as they were sent. Without a seed, another task may have the same.
 */
export function matchOf(prediction: Prediction, task: RemoteTask): 'same' | 'possible' | 'other' {
  if (prediction.webhook) return prediction.webhook.includes(task.requestKey) ? 'same' : 'other';
  if (!isOfTarget(prediction, task.model.target)) return 'other';
  // Replicate deletes inputs after an hour.
  if (prediction.data_removed) return 'possible';
  const { prompt, parameters, model } = task;
  const sent = Object.entries(vendorFields(model.mapping, { ...parameters, prompt }));
  const input = prediction.input as Record<string, unknown>;
  if (!sent.every(([field, value]) => isDeepStrictEqual(input[field], value))) return 'other';
  return parameters.seed === undefined ? 'possible' : 'same';
}

/** Its model is `owner/name`; the version of an official model is `hidden`. */
function isOfTarget({ model, version }: Prediction, target: string): boolean {
  return target === model || target.split(':').at(-1) === version;
}
