import { join } from 'node:path';
import { run } from './child.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { runScript } from './refusal.mjs';
import { ROOT } from './root.mjs';

// `npm run migrate`: brings the database of DATABASE_URL up to date.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await run(nodeProgram(), [join(ROOT, 'dist', 'apps', 'service', 'src', 'migrate.js')]);
  return code;
});
