import { SettingsError } from '#config';
import { StartError } from './start-error.ts';

/** What a program tells the process that supervises it, if there is one. */
export type ProgramMessage = 'ready' | { readonly failed: string };

export async function tellSupervisor(message: ProgramMessage): Promise<void> {
  if (!process.connected) return;
  await new Promise<void>((resolve) => process.send!(message, undefined, {}, () => resolve()));
}

/** Says why this program does not run: in one line, by the supervisor if there is one, where it is known what to do. */
export async function reportFailure(error: unknown): Promise<void> {
  if (!(error instanceof StartError || error instanceof SettingsError)) complain(error);
  else if (process.connected) await tellSupervisor({ failed: error.message });
  else process.stderr.write(`${error.message}\n`);
}

export function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
