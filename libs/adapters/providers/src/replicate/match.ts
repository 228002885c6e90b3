import { isDeepStrictEqual } from 'node:util';
import type { Prediction } from 'replicate';
import { INPUT_NAMES, placeholdersOf, vendorFields, type RemoteTask } from '#generation';

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
  const { fields, hasSeed } = fieldsWithoutPictures(task);
  const input = prediction.input as Record<string, unknown>;
  if (!Object.entries(fields).every(([field, value]) => isDeepStrictEqual(input[field], value))) return 'other';
  return hasSeed ? 'same' : 'possible';
}

/** What was sent, but for each field that has a picture anywhere: how pictures were delivered is not known any more. */
function fieldsWithoutPictures({ model, prompt, parameters }: RemoteTask) {
  const entries = Object.entries(model.mapping).map(([path, value]) => {
    return { path, value, field: path.split('.')[0], reads: placeholdersOf({ [path]: value }) };
  });
  const pictured = entries.filter(({ reads }) =>
    reads.some((name) => (INPUT_NAMES as readonly string[]).includes(name)),
  );
  const others = entries.filter(({ field }) => !pictured.some((each) => each.field === field));
  const mapping = Object.fromEntries(others.map(({ path, value }) => [path, value]));
  return {
    fields: vendorFields(mapping, { ...parameters, prompt }),
    hasSeed: parameters.seed !== undefined && others.some(({ reads }) => reads.includes('seed')),
  };
}

/** Its model is `owner/name`; the version of an official model is `hidden`. */
function isOfTarget({ model, version }: Prediction, target: string): boolean {
  return target === model || target.split(':').at(-1) === version;
}
