/** @tier deep, 50 s, about libs/client scripts */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PostgresTeams } from '#adapters/postgres';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { mailTo } from '../support/mail-to.ts';
import { ROOT } from '../support/processes.ts';
import { useService } from '../support/use-service.ts';
const CLIENT = join(ROOT, 'libs', 'client');
const BIN = join(ROOT, 'node_modules', '.bin');
/** Environment of the program alone: no variables of Jest, no settings of the test run. */
const ENV = { PATH: `${BIN}:${process.env.PATH}`, HOME: process.env.HOME };
/** All packages that the client needs at run time. */
const DEPENDENCIES = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];

describe('the package of the client', () => {
  let folder: string;
  let packed: string;
  let consumer: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-package-'));
    consumer = join(folder, 'consumer');
    packed = join(await freshClone(join(folder, 'clone')), 'libs', 'client');
    await mkdir(consumer);
    await run(packed, 'npm', 'pack', '--pack-destination', folder);
    const modules = DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name));
    await run(folder, 'npm', 'pack', '--ignore-scripts', ...modules);
    const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => join(folder, name));
    await writeFile(join(consumer, 'package.json'), '{ "private": true, "type": "module" }');
    await run(consumer, 'npm', 'install', '--offline', '--ignore-scripts', ...tarballs);
    // The optional peer, for its types.
    await symlink(join(ROOT, 'node_modules', '@tanstack'), join(consumer, 'node_modules', '@tanstack'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A copy of the repository as git has it, without anything built, with its packages installed. */
  async function freshClone(clone: string): Promise<string> {
    await mkdir(clone);
    for (const part of ['package.json', 'scripts', join('libs', 'client')]) {
      const filter = (source: string) => basename(source) !== 'dist';
      await cp(join(ROOT, part), join(clone, part), { recursive: true, filter });
    }
    // It wants the packages that are installed here: nothing is fetched.
    await cp(join(ROOT, 'node_modules', '.package-lock.json'), join(clone, 'package-lock.json'));
    // Each package by itself: whatever changes the folder of the clone leaves ours as it is.
    await mkdir(join(clone, 'node_modules'));
    for (const name of await readdir(join(ROOT, 'node_modules'))) {
      await symlink(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
    }
    return clone;
  }

  async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
    const done = promisify(execFile)(join(['npm', process.execPath].includes(program) ? '' : BIN, program), args, {
      cwd,
      env: ENV,
    });
    return (await done.catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)))).stdout;
  }

  /** The programs of the README, or of another page. */
  async function examples(page = join(CLIENT, 'README.md')): Promise<string[]> {
    const text = await readFile(page, 'utf8');
    return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, program]) => program!);
  }

  it('is clean to publint', async () => {
    expect(await run(packed, 'publint', 'run', '--strict', '--pack', 'false')).toContain('All good!');
  });

  it('has types that resolve, to @arethetypeswrong/cli', async () => {
    const tarball = (await readdir(folder)).find((name) => name.startsWith('x12-client'))!;
    const options = ['--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--format', 'table'];
    const report = await run(folder, 'attw', tarball, ...options);
    expect(report).toMatch(/node16 \(from ESM\)( *│ OK \(ESM\)){3} *│ OK \(JSON\)/);
    expect(report).toMatch(/bundler( *│ OK ){3} *│ OK \(JSON\)/);
  });

  it('compiles under nodenext in Node, and under bundler in browsers', async () => {
    const [quick, calls, webhook, team] = await examples();
    await writeFile(join(consumer, 'calls.ts'), calls!);
    await writeFile(join(consumer, 'quick.ts'), quick!);
    await writeFile(join(consumer, 'team.ts'), team!);
    await writeFile(join(consumer, 'webhook.ts'), `declare const rawBody: string, request: Request;\n${webhook}`);
    await writeFile(join(consumer, 'misuse.ts'), MISUSE);
    await writeFile(join(consumer, 'query.ts'), QUERY);
    const check = async (name: string, options: object, files: string[]) => {
      const typeRoots = [join(ROOT, 'node_modules', '@types')];
      const compilerOptions = { target: 'es2022', strict: true, noEmit: true, typeRoots, ...options };
      await writeFile(join(consumer, `${name}.json`), JSON.stringify({ compilerOptions, files }));
      await run(consumer, 'tsc', '-p', `${name}.json`);
    };
    const inNode = { module: 'nodenext', lib: ['es2023'], types: ['node'] };
    const pages = (await examples(join(ROOT, 'docs', 'client.md'))).map((program, at) => [`page-${at}.ts`, program]);
    expect(pages.length).toBeGreaterThan(3);
    const given = 'declare const rawBody: string, request: Request, secret: string;';
    const [verification] = await examples(join(ROOT, 'docs', 'products.md'));
    pages.push(['products.ts', `${given}\n${verification}`]);
    for (const [name, program] of pages) await writeFile(join(consumer, name!), program!);
    const files = ['quick.ts', 'calls.ts', 'team.ts', 'webhook.ts', 'misuse.ts', ...pages.map(([name]) => name!)];
    await check('node', inNode, files);
    await writeFile(join(consumer, 'common.cts'), COMMON);
    await check('common', inNode, ['common.cts']);
    const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
    await check('browser', { module: 'esnext', moduleResolution: 'bundler', lib, types: [] }, [
      'misuse.ts',
      'query.ts',
    ]);
  });

  it('works by require, with the same classes for its errors in all parts', async () => {
    await writeFile(join(consumer, 'common.cjs'), COMMON_RUN);
    expect(await run(consumer, process.execPath, 'common.cjs')).toBe('X12Error baseUrl is missing true\n');
  });

  describe('against the service', () => {
    const service = useService();
    let token: string;
    beforeAll(async () => {
      const owner = await service.signUp();
      const teams = new PostgresTeams(service.database.database);
      await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt: new Date() });
      token = owner.token;
    });

    /** Runs a program as users do, with Node and nothing else. */
    function start(file: string) {
      const env = { ...ENV, X12_URL: service.baseUrl, X12_TOKEN: token };
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], { cwd: consumer, env });
      const printed = { text: '' };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed.text += String(text)));
      const ended = once(child, 'exit').then(([code]) => [code, printed.text] as const);
      return { child, printed, ended };
    }

    it('makes a picture with the first program of its README', async () => {
      const [quick] = await examples();
      await writeFile(join(consumer, 'quick.ts'), quick!);
      const [code, printed] = await start('quick.ts').ended;
      expect([code, printed]).toEqual([0, expect.stringMatching(/succeeded 1\nhttp\S+\n$/)]);
      const picture = await fetch(printed.trim().split('\n').at(-1)!);
      expect((await sharp(await picture.arrayBuffer()).metadata()).width).toBe(256);
    });

    it('works as a team with the last program of its README, in 20 lines', async () => {
      const team = (await examples()).at(-1)!;
      expect(team.split('\n').filter((line) => line.trim()).length).toBeLessThanOrEqual(20);
      await writeFile(join(consumer, 'team.ts'), team);
      for (const slot of [1, 7]) {
        const create = { width: 320, height: 240, channels: 3 as const, background: slot === 1 ? 'teal' : 'coral' };
        await sharp({ create })
          .jpeg()
          .toFile(join(consumer, `slot-${slot}.jpg`));
      }
      const program = start('team.ts');
      await eventually(() => /token in the mail/.test(program.printed.text) || program.child.exitCode !== null);
      program.child.stdin.write(`${program.child.exitCode === null ? await mailedToken() : ''}\n`);
      const [code, printed] = await program.ended;
      expect([code, printed]).toEqual([0, expect.stringContaining("email: 'grace@example.com'")]);
    });

    describeInBrowser('in Chromium', () => {
      it('uploads in parts with progress and generates, by the cookie of a session', async () => {
        await writeFile(join(consumer, 'browser.ts'), "export * from '@x12/client';");
        const lib = { entry: 'browser.ts', name: 'client', formats: ['iife'], fileName: 'client' };
        await writeFile(
          join(consumer, 'vite.config.mjs'),
          `export default { build: { lib: ${JSON.stringify(lib)} } };`,
        );
        await run(consumer, 'vite', 'build');
        const bundle = await readFile(join(consumer, 'dist', 'client.iife.js'), 'utf8');
        const browser = await launchBrowser();
        try {
          const page = await browser.newPage({ baseURL: service.baseUrl });
          await page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
          await page.goto('/blank');
          const signIn = { data: { token }, headers: { origin: service.baseUrl } };
          expect((await page.request.post('/v2/auth/session', signIn)).status()).toBe(200);
          await page.evaluate(bundle.replace('var client', 'window.client'));
          const seen = await page.evaluate<Record<string, unknown>>(IN_BROWSER);
          expect(seen).toEqual({
            parts: expect.any(Number),
            isWhole: true,
            reports: true,
            state: 'succeeded',
            outputs: 1,
            refused: 'unauthenticated',
          });
        } finally {
          await browser.close();
        }
      });
    });

    const mailedToken = async (): Promise<string> =>
      /x12_[\w-]{43}/m.exec((await mailTo(service, 'grace@example.com')).text)![0];
  });
});

/** Noise, which no PNG compresses: 18 MiB of it. Then a small picture is the input of a generation. */
const IN_BROWSER = `(async () => {
  const noise = async (size) => {
    const canvas = new OffscreenCanvas(size, size);
    const pixels = new ImageData(size, size);
    for (let at = 0; at < pixels.data.length; at++) pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    canvas.getContext('2d').putImageData(pixels, 0, 0);
    return new File([await canvas.convertToBlob()], 'noise.png');
  };
  const x12 = new client.X12();
  const large = await noise(2500);
  const [progress, state] = [[], {}];
  const file = await x12.upload(large, { state, onProgress: ({ sent }) => progress.push(sent) });
  const generation = await x12.run({ model: 'local-image', prompt: 'a lake', image: await noise(64), width: 64 });
  await x12.auth.session.delete();
  const refused = await x12.models.list().catch(({ code }) => code);
  return {
    parts: state.ticket.parts.length,
    isWhole: file.size === large.size,
    reports: progress[0] === 0 && progress.length > 6 && progress.at(-1) === large.size,
    state: generation.state,
    outputs: generation.outputs.length,
    refused,
  };
})()`;

/** The types know what is wrong. */
const MISUSE = `
import { boardsGet, X12, X12Error } from '@x12/client';
const x12 = new X12({ baseUrl: '/', maxRetries: 1 });
// @ts-expect-error a model is needed
await x12.generate({ prompt: 'a lake' });
// @ts-expect-error a prompt is text
await x12.generate({ model: 'local-image', prompt: 3 });
await x12.run({ model: 'local-image', image: new Blob([]), seed: 3 });
// @ts-expect-error a board has an id
await boardsGet({ client: x12.client });
// @ts-expect-error a board has an id
await x12.boards.get();
// @ts-expect-error a board has a name
await x12.boards.create({});
// @ts-expect-error an address is text
await x12.team.invitations.send({ email: 3 });
// @ts-expect-error it throws
await x12.boards.create({ name: 'Portraits' }, { throwOnError: false });
const { board } = await x12.boards.create({ name: 'Portraits' });
board.media_count.toFixed();
await x12.generations.create({ model: 'local-image', seed: 3, strength: 0.5 });
for await (const { media_count } of x12.boards.list()) media_count.toFixed();
(await x12.boards.list({ limit: 2 })).next_cursor satisfies string | null;
const { code }: X12Error = await x12.generations.get({ id: 1 }).then(() => null!);
// @ts-expect-error no such code
code === 'unknown_code';
`;

const COMMON = `
import { X12, X12Error } from '@x12/client';
import { verifyWebhook } from '@x12/client/webhooks';
const x12: X12 = new X12({ baseUrl: '/' });
x12.waitForBatch(3).then(({ cells }) => cells.failed.toFixed()).catch((error: X12Error) => error.code);
verifyWebhook('{}', {}, 'whsec_').type satisfies string;
`;

const COMMON_RUN = `
const { X12, X12AbortError, X12Error } = require('@x12/client');
const { verifyWebhook } = require('@x12/client/webhooks');
let problem = '';
try {
  new X12();
} catch ({ message }) {
  [problem] = message.split(':');
}
console.log(X12Error.name, problem, new X12AbortError() instanceof X12Error && typeof verifyWebhook === 'function');
`;

const QUERY = `
import { boardsGetOptions } from '@x12/client/query';
const { queryKey } = boardsGetOptions({ path: { id: 1 } });
queryKey[0]._id satisfies string;
`;
