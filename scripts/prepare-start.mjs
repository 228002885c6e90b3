import { writeSync } from 'node:fs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { runScript } from './refusal.mjs';

const START_SH = 3;

// Installs and builds the service. Runs on Node 20 with nothing installed. Writes the path of the service's Node to start.sh.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  writeSync(START_SH, nodeProgram());
  return 0;
});
