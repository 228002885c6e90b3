import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  // Editors show the comments of the types; those of the programs would be a fifth of the package.
  for (const options of [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']]) {
    const { code } = await run(nodeProgram(), [compiler, '-p', join(client, 'tsconfig.json'), ...options]);
    if (code !== 0) return code;
  }
  // Nobody imports the command line.
  const program = join(client, 'dist', 'cli');
  for (const name of readdirSync(program).filter((each) => each.endsWith('.d.ts'))) rmSync(join(program, name));
  // The functions and hooks of an operation say the same about it as its method.
  const generated = join(client, 'dist', 'generated');
  for (const name of readdirSync(generated, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    if (/^(types|operations)\.gen/.test(name)) continue;
    const file = join(generated, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[ \t]*\/\*\*[^]*?\*\/\n/g, ''));
  }
  return 0;
});
