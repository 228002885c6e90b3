import { parseProgressFromLogs, type Prediction, type Training } from 'replicate';
import type { StyleResult } from '#catalogue';
import type { ProviderFailure, VendorOutput, VendorState } from '#generation';
import { providerFailure } from '../remote/failures.ts';
import { trainedOutputs } from '../remote/trained-styles.ts';

/** Only newer models use the code E005. */
const MODERATED = /\bE005\b|nsfw|sensitive|flagged|safety|moderat|content policy/i;
/** Not started in time, unhealthy machine, overloaded, interrupted. */
const FOR_NOW = /\bE(1000|6716|8765|9243|003|004)\b|please retry|interrupted|temporarily|unexpected error handling/i;
const INVALID = /\bE006\b|invalid input|validation/i;

const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  image: /\.(png|jpe?g|webp|gif)$/i,
  mask: /\.png$/i,
  video: /\.(mp4|webm)$/i,
  vector: /\.svg$/i,
  model3d: /\.glb$/i,
};

/** A training has the same states and fields. */
export type Job = Prediction | Training;

/**
 * Maps the state of a prediction or a training. Unknown states count as pending.
 *
 * @param cancelAfter the `Cancel-After` of the prediction in seconds; NaN when unknown
 * @param trained the field of a training that has what was trained
 */
export function stateOf(
  prediction: Job,
  kind: string,
  cancelAfter: number,
  trained: StyleResult | null = null,
): VendorState {
  switch (prediction.status as string) {
    case 'succeeded':
      return { state: 'ended', outputs: outputsOf(prediction, kind, trained), cost: null };
    case 'failed':
      return { state: 'failed', failure: failureOf(prediction.error) };
    case 'canceled':
      if (secondsOf(prediction) < cancelAfter || Number.isNaN(cancelAfter)) return { state: 'canceled' };
      return { state: 'failed', failure: providerFailure('timed_out') };
    // It was not started before its deadline.
    case 'aborted':
      return { state: 'failed', failure: providerFailure('timed_out') };
    default:
      return { state: 'pending', progress: progressOf(prediction), checkAfterSeconds: null };
  }
}

/** From its creation to its end. */
function secondsOf({ created_at, completed_at }: Job): number {
  return (Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1_000;
}

function failureOf(error: unknown): ProviderFailure {
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? null);
  const cause = new Error(text.slice(0, 500));
  if (MODERATED.test(text)) return providerFailure('content_rejected', { cause });
  if (INVALID.test(text)) return providerFailure('invalid_input', { cause });
  if (FOR_NOW.test(text)) return providerFailure('provider_unavailable', { cause, retryable: true });
  return providerFailure('unusable_output', { cause, message: 'the model failed at the provider' });
}

/** The files of the kind, if any: 3D models also come with pictures and videos. */
function outputsOf(job: Job, kind: string, trained: StyleResult | null): readonly VendorOutput[] {
  if (trained) return trainedOutputs(trained, job);
  const urls = urlsIn(job.output);
  const wanted = urls.filter((url) => EXTENSIONS[kind]?.test(URL.parse(url)?.pathname ?? ''));
  return (wanted.length > 0 ? wanted : urls).map((url) => ({ url, label: null, score: null }));
}

function urlsIn(output: unknown): string[] {
  if (typeof output === 'string') return /^(https?:|data:)/i.test(output) ? [output] : [];
  return output && typeof output === 'object' ? Object.values(output).flatMap(urlsIn) : [];
}

/** Reads the last progress bar in the logs. */
function progressOf(prediction: Job): number | null {
  return parseProgressFromLogs(prediction as Prediction)?.percentage ?? null;
}
