import { join } from 'node:path';
import { run } from './child.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { nodeProgram } from './node-program.mjs';
import { Refusal, runScript } from './refusal.mjs';
import { ROOT } from './root.mjs';
import { withCommit } from './with-commit.mjs';

// `npm start`: the whole service. Runs on Node 20 with nothing installed.
await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const service = join(ROOT, 'dist', 'apps', 'service', 'src', 'main.js');
  // Compiled once for all starts: it saves each program a third of its start.
  const env = withCommit({ NODE_COMPILE_CACHE: join(ROOT, 'dist', 'compile-cache'), ...process.env });
  // Over the IPC channel the service notices when we are gone, however we went.
  const { code, message } = await run(nodeProgram(), [service], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (message?.failed) throw new Refusal(message.failed);
  return code;
});
