import { capitalized } from '../text.ts';
import { GuestError } from './api.ts';
import { said } from './words.ts';

/** What to tell the guest of a failure. */
export function errorText(error: unknown): string {
  if (!(error instanceof GuestError)) return said.failed;
  const { status, message } = error;
  if (error.code === 'download_running') return said.downloadRunning;
  if (status === 0) return said.offline;
  if (status === 404) return said.goneMeanwhile;
  return status === 429 ? said.tooOften : capitalized(message);
}
