const LOOK_EVERY_MS = 2000;

/**
 * Ends this process as SIGTERM does when a process that started it is gone: after a SIGKILL it could not say so.
 *
 * @param pids process ids with spaces between; none when it was started by hand
 */
export function endWithStarters(pids = ''): void {
  const starters = pids.split(' ').filter(Boolean).map(Number);
  if (starters.length === 0) return;
  const look = setInterval(() => {
    if (starters.every(isRunning)) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  look.unref();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is another user's: it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
