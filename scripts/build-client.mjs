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
  const passes = [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']];
  for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
    for (const options of passes) {
      const { code } = await run(nodeProgram(), [compiler, '-p', join(client, project), ...options]);
      if (code !== 0) return code;
    }
  }
  // Nobody imports the command line.
  const program = join(client, 'dist', 'cli');
  for (const name of readdirSync(program).filter((each) => each.endsWith('.d.ts'))) rmSync(join(program, name));
  // `require` is for Node: browsers get the ES modules.
  const common = join(client, 'dist', 'cjs');
  for (const name of readdirSync(common).filter((each) => each.endsWith('.js'))) {
    const file = join(common, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"#open-file"', '"./open-file.js"'));
  }
  writeFileSync(join(common, 'package.json'), '{ "type": "commonjs" }\n');
  return 0;
});
