import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const NEEDED = 24;

/** The Node that runs the service: installed by npm if there is a package for this platform, else the current one. */
export function nodeProgram() {
  const installed = join(ROOT, 'node_modules', '.bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  throw new Refusal(
    `no Node ${NEEDED} comes with the packages for ${process.platform}-${process.arch}: install Node ${NEEDED} or newer`,
  );
}
