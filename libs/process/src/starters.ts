const CHECK_EVERY_MS = 2000;

/**
 * Sends SIGTERM to this process when a process that started it has ended, even by SIGKILL.
 *
 * @param pids process ids, separated by spaces; empty for a start by hand
 */
export function endWithStarters(pids = ''): void {
  const starters = pids.split(' ').filter(Boolean).map(Number);
  if (starters.length === 0) return;
  const check = setInterval(() => {
    if (starters.every(isRunning)) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_EVERY_MS);
  check.unref();
}

/** Reports whether a process exists, under any account. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
