import { writeSync } from 'node:fs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { runScript } from './refusal.mjs';

const START_SH = 3;

// Installs and builds what the service needs; on Node 20 with nothing installed. Tells start.sh which Node runs it.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  writeSync(START_SH, nodeProgram());
  return 0;
});
