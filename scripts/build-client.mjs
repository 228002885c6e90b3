import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { runScript } from './refusal.mjs';
import { ROOT } from './root.mjs';

// `npm pack` and `npm publish` in libs/client: builds what the package consists of, also in a fresh clone.
await runScript(async () => {
  await ensureInstalled();
  const client = join(ROOT, 'libs', 'client');
  rmSync(join(client, 'dist'), { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code } = await run(nodeProgram(), [compiler, '-p', client]);
  return code;
});
