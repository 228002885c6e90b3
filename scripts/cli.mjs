import { join } from 'node:path';
import { run } from './child.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { runScript } from './refusal.mjs';
import { ROOT } from './root.mjs';
import { withCommit } from './with-commit.mjs';

// `npm run cli -- …`: the operator's command line.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const program = join(ROOT, 'dist', 'apps', 'cli', 'src', 'main.js');
  const { code } = await run(nodeProgram(), [program, ...process.argv.slice(2)], { env: withCommit(process.env) });
  return code;
});
