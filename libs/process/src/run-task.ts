import { reportFailure, tellSupervisor } from './tell-supervisor.ts';

/** Does one thing and ends the process, with exit code 1 when it failed; ends at once when its supervisor does. */
export async function runTask(task: () => Promise<void>): Promise<void> {
  process.once('disconnect', () => process.exit(1));
  try {
    await task();
    await tellSupervisor('ready');
  } catch (error) {
    await reportFailure(error);
    process.exit(1);
  }
  process.exit(0);
}
