import { capitalized } from '../text.ts';
import { GuestError } from './api.ts';
import { words } from './words.ts';

/** Message to the guest about a failure. */
export function errorText(error: unknown): string {
  if (!(error instanceof GuestError)) return words.failed;
  const { status, message } = error;
  if (error.code === 'download_running') return words.downloadRunning;
  if (status === 0) return words.offline;
  if (status === 404) return words.goneMeanwhile;
  return status === 429 ? words.tooOften : capitalized(message);
}
