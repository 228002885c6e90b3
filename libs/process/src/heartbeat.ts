/** How often a supervisor and its programs send each other a heartbeat. */
export const HEARTBEAT_MS = 5_000;
/** Half a minute. */
export const MAX_SILENT_INTERVALS = 6;

/**
 * Calls `onSilence` after `MAX_SILENT_INTERVALS` in a row without `heard()`. It counts its own intervals, not time:
 * none pass while the machine is suspended or this process is stopped, so that nobody counts as silent afterwards.
 *
 * @param of.grace additional intervals before the first heartbeat
 * @param of.send called at once and at each interval
 */
export function watchHeartbeat(of: {
  readonly everyMs: number;
  readonly grace?: number;
  send?(): void;
  onSilence(): void;
}): { heard(): void; end(): void } {
  let silent = -(of.grace ?? 0);
  of.send?.();
  const timer = setInterval(() => {
    of.send?.();
    if (silent++ < MAX_SILENT_INTERVALS) return;
    silent = 0;
    of.onSilence();
  }, of.everyMs);
  return { heard: () => void (silent = 0), end: () => clearInterval(timer) };
}
