import { parseProgressFromLogs, type Prediction } from 'replicate';
import type { ProviderFailure, VendorState } from '#generation';
import { providerFailure } from '../remote/failures.ts';

/** Models have no common code for it: E005 is that of the newer ones. */
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

/**
 * What a prediction says, for a model of this kind. In a state that Replicate does not have, it is taken to go on.
 *
 * @param cancelAfter seconds after which Replicate was told to cancel it; NaN when they are not known
 */
export function stateOf(prediction: Prediction, kind: string, cancelAfter: number): VendorState {
  switch (prediction.status as string) {
    case 'succeeded':
      return { state: 'ended', outputs: outputsOf(prediction.output, kind), cost: null };
    case 'failed':
      return { state: 'failed', failure: failureOf(prediction.error) };
    case 'canceled':
      if (secondsOf(prediction) < cancelAfter || Number.isNaN(cancelAfter)) return { state: 'canceled' };
      return { state: 'failed', failure: providerFailure('timed_out') };
    // The deadline has passed before it started.
    case 'aborted':
      return { state: 'failed', failure: providerFailure('timed_out') };
    default:
      return { state: 'pending', progress: progressOf(prediction), checkAfterSeconds: null };
  }
}

/** From its creation to its end. */
function secondsOf({ created_at, completed_at }: Prediction): number {
  return (Date.parse(completed_at ?? created_at) - Date.parse(created_at)) / 1_000;
}

function failureOf(error: unknown): ProviderFailure {
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? null);
  const cause = new Error(text.slice(0, 500));
  if (MODERATED.test(text)) return providerFailure('content_rejected', { cause });
  if (INVALID.test(text)) return providerFailure('invalid_input', { cause });
  if (FOR_NOW.test(text)) return providerFailure('provider_unavailable', { cause, retryable: true });
  return providerFailure('unusable_output', { cause });
}

/** Those of the kind, where there are any: models of 3D objects also make pictures and videos of them. */
function outputsOf(output: unknown, kind: string): { url: string; label: null; score: null }[] {
  const urls = urlsIn(output);
  const wanted = urls.filter((url) => EXTENSIONS[kind]?.test(URL.parse(url)?.pathname ?? ''));
  return (wanted.length > 0 ? wanted : urls).map((url) => ({ url, label: null, score: null }));
}

function urlsIn(output: unknown): string[] {
  if (typeof output === 'string') return /^(https?:|data:)/i.test(output) ? [output] : [];
  return output && typeof output === 'object' ? Object.values(output).flatMap(urlsIn) : [];
}

/** The last progress bar in its logs. */
function progressOf(prediction: Prediction): number | null {
  return parseProgressFromLogs(prediction)?.percentage ?? null;
}
