/** The interval at which a supervisor and its programs send each other heartbeats. */
export const HEARTBEAT_MS = 5_000;
/** Half a minute. */
export const MAX_SILENT_INTERVALS = 6;

/**
 * Calls `onSilence` after `MAX_SILENT_INTERVALS` in a row without `heard()`. Counts intervals instead of measuring time:
 * while the machine is suspended or this process is stopped no interval passes, so no program counts as silent after it.
 *
 * @param options.grace additional intervals before the first heartbeat
 * @param options.send called at once and at each interval
 */
export function watchHeartbeat(options: {
  readonly everyMs: number;
  readonly grace?: number;
  send?(): void;
  onSilence(): void;
}): { heard(): void; end(): void } {
  let silent = -(options.grace ?? 0);
  options.send?.();
  const timer = setInterval(() => {
    options.send?.();
    if (silent++ < MAX_SILENT_INTERVALS) return;
    silent = 0;
    options.onSilence();
  }, options.everyMs);
  return { heard: () => void (silent = 0), end: () => clearInterval(timer) };
}
