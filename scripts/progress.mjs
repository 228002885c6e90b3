/** Prints progress while work runs: on a terminal a line that counts seconds, elsewhere a line each 15 seconds. */
export async function withProgress(what, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const terminal = process.stdout.isTTY;
  process.stdout.write(terminal ? `${what} …` : `${what} …\n`);
  const timer = setInterval(
    () => process.stdout.write(terminal ? `\r${what} … ${seconds()} s` : `${what} … ${seconds()} s\n`),
    terminal ? 1000 : 15_000,
  );
  try {
    const result = await work();
    process.stdout.write(`${terminal ? '\r' : ''}${what}: done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    if (terminal) process.stdout.write('\n');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
