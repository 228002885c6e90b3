/** @tier deep, 60 s, about libs/client */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { verifyEvent } from '../../libs/client/src/webhooks.ts';
import { acceptance } from '../support/acceptance.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { ROOT } from '../support/processes.ts';
import { useReach } from '../support/reach-stage.ts';
import { untilTestEnds } from '../support/use-service.ts';

const NODE_FLAGS = [
  '--conditions=x12-source',
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
];
const PROGRAM = [...NODE_FLAGS, join(ROOT, 'libs/client/src/cli/main.ts')];
const SMALL = ['--model', 'local-image', '--param', 'width=64', '--param', 'height=64'];

const reach = useReach();
const { service, stage } = reach;

const account = () => ({ X12_URL: service.baseUrl, X12_TOKEN: stage.user.token });
const environment = (variables: object) => ({ PATH: process.env.PATH, XDG_CONFIG_HOME: stage.folder, ...variables });
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Starts the command line as a shell does, with no terminal. */
function start(args: readonly string[], variables: object = account()) {
  const child = spawn(process.execPath, [...PROGRAM, ...args], { env: environment(variables) });
  const output = { out: '', messages: '' };
  child.stdout.on('data', (data) => (output.out += String(data)));
  child.stderr.on('data', (data) => (output.messages += String(data)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, output, ended };
}

function run(args: readonly string[], variables: object = account(), input = '') {
  const { child, ended } = start(args, variables);
  child.stdin.end(input);
  return ended;
}

/** The value that a command prints, which succeeds. */
async function json(...args: string[]) {
  const { code, out, messages } = await run([...args, '--json']);
  expect([code, messages]).toEqual([0, expect.not.stringContaining('x12:')]);
  return JSON.parse(out);
}

const generate = (prompt: string, ...options: string[]) => json('generate', prompt, '--wait', ...SMALL, ...options);
const fileIdOf = async (prompt: string): Promise<number> => (await generate(prompt)).outputs[0].file_id;

describe('the command line', () => {
  acceptance('command line', {
    1: async () => {
      const { code, messages } = await run(['models'], { ...account(), X12_TOKEN: 'x12_wrong' });
      expect([code, messages]).toEqual([5, expect.stringContaining('Authorization: Bearer')]);
      expect(messages).toContain('x12 login');
    },
    2: async () => {
      expect(await json('models')).toContainEqual(expect.objectContaining({ id: 'local-image', cost: 4 }));
      expect((await run(['models'])).out).toMatch(/^local-image\timage\t4\t/m);
    },
    3: async () => {
      const { model, outputs } = await json('generate', 'a fox', '--model', 'gpt-image-1', '--wait');
      expect([model, outputs.length]).toEqual(['vendor-image', 1]);
    },
    4: async () => {
      const { out } = await run(['upload', stage.picture]);
      expect((await bytesAt(out.trim())).equals(await readFile(stage.picture))).toBe(true);
    },
    5: async () => {
      const { code, out, messages } = await run(['upload', stage.unsupported]);
      expect([code, out, messages]).toEqual([3, '', expect.stringContaining('unsupported_file_type')]);
    },
    6: async () => {
      const { persona } = (await reach.call('POST', '/v2/personas', { name: 'Ada' })).body;
      const [{ url: photo }] = await json('upload', stage.picture, '--persona', String(persona.id));
      await reach.call('POST', `/v2/personas/${persona.id}/trains`, { photo, slot: 1 });
      const { inputs } = await generate('a lake in a style', '--persona', String(persona.id));
      expect(inputs.style_reference).toBe(photo);
    },
    7: async () => {
      const charged = await reach.charged(async () => {
        const { out } = await run(['generate', 'a lake', ...SMALL, '--param', 'count=3', '--cost']);
        expect(out).toBe('12 credits\n');
      });
      expect(charged).toBe(0);
    },
    8: async () => {
      const charged = await reach.charged(async () => {
        const { outputs } = await generate('a lake');
        expect(outputs).toMatchObject([{ content_type: 'image/webp', width: 64, height: 64 }]);
      });
      expect(charged).toBe(4);
    },
    9: async () => {
      const charged = await reach.charged(async () => {
        const twice = () => generate('a lake twice', '--image', stage.picture, '--key', 'a-lake-twice');
        const [first, second] = [await twice(), await twice()];
        expect([second.id, second.outputs]).toEqual([first.id, first.outputs]);
      });
      expect(charged).toBe(4);
    },
    10: async () => {
      const prompt = 'a heron that is killed';
      const args = ['generate', prompt, '--model', 'vendor-image', '--wait', '--key', 'a-heron-of-the-shell'];
      const charged = await reach.charged(async () => {
        await reach.killWhileWaiting(process.execPath, [...PROGRAM, ...args], prompt);
        expect((await json(...args)).outputs).toHaveLength(1);
      });
      expect(charged).toBe(3);
      const submitted = stage.vendor.submissions.filter(({ fields }) => JSON.stringify(fields).includes(prompt));
      expect(submitted).toHaveLength(1);
    },
    11: async () => {
      const charged = await reach.charged(async () => {
        const { code, out } = await run(['generate', 'a lake', ...SMALL, '--param', 'width=1', '--json']);
        expect([code, JSON.parse(out).error]).toEqual([
          3,
          expect.objectContaining({ code: 'validation_failed', fields: { width: [expect.stringContaining('64')] } }),
        ]);
      });
      expect(charged).toBe(0);
    },
    12: async () => {
      stage.vendor.plan(['moderates']);
      const charged = await reach.charged(async () => {
        const { code, messages } = await run(['generate', 'a bad fox', '--model', 'vendor-image', '--wait']);
        expect([code, messages]).toEqual([1, expect.stringContaining('content_rejected')]);
      });
      expect(charged).toBe(0);
    },
    13: async () => {
      const { inputs, outputs } = await generate('in oil', '--image', stage.picture);
      expect([inputs.image, outputs.length]).toEqual([expect.stringMatching(/^http/), 1]);
    },
    14: async () => {
      const size = ['duration=2', 'width=128', 'height=128'].flatMap((each) => ['--param', each]);
      const video = ['generate', 'waves', '--model', 'local-video', '--image', stage.picture, ...size];
      const started = await run(video);
      const path = join(stage.folder, 'waves.mp4');
      expect(await run(['wait', started.out.trim(), '--out', path])).toMatchObject({ code: 0, out: `${path}\n` });
      expect((await readFile(path)).toString('latin1', 4, 8)).toBe('ftyp');
    },
    15: async () => {
      const { outputs } = await generate('a quagga at noon');
      const { out } = await run(['find', 'quagga', 'noon', '--limit', '1']);
      expect(out.trim().split('\t')).toEqual([String(outputs[0].file_id), 'image', expect.any(String), outputs[0].url]);
    },
    16: async () => {
      const folder = join(stage.folder, 'kept');
      const { outputs, saved } = await generate('a lake to keep', '--out', folder);
      expect((await readFile(saved[0])).equals(await bytesAt(outputs[0].url))).toBe(true);
    },
    17: async () => {
      const { id } = (await reach.call('POST', '/boards', { name: 'Portraits' })).body.board;
      const folder = (await reach.call('POST', `/boards/${id}/folders`, { name: '../../out' })).body.folder;
      const [{ url }] = await json('upload', stage.picture);
      const { media } = (await reach.call('POST', `/boards/${id}/media`, { url, folder_id: folder.id })).body;
      await eventually(
        async () => (await reach.call('GET', `/boards/${id}`)).body.board.media[0].state === 'processed',
      );
      const into = join(stage.folder, 'pulled');
      const pull = async () =>
        (await json('board', 'pull', String(id), into)).map(({ state }: { state: string }) => state);
      expect(await pull()).toEqual(['saved']);
      const [path] = (await readdir(into, { recursive: true })).filter((name) => name.endsWith('.png'));
      expect(path).toBe(join('__.._out', `style-${media.id}.png`));
      expect((await readFile(join(into, path!))).equals(await readFile(stage.picture))).toBe(true);
      expect(await pull()).toEqual(['skipped']);
      await writeFile(join(into, path!), 'cut off');
      expect(await pull()).toEqual(['saved']);
    },
    18: async () => {
      const ids = [await fileIdOf('a lake to show'), await fileIdOf('a hill to show')].map(String);
      const options = ['--name', 'Two views', '--expires', '7d', '--password-stdin'];
      const { code, out } = await run(['share', ...ids, ...options], account(), 'a lake at dawn\n');
      const token = out.trim().split('/').at(-1)!;
      const enter = (json: object) => service.call('POST', `/v2/shared/${token}/enter`, { json });
      expect([code, (await enter({ password: 'wrong' })).status]).toEqual([0, 401]);
      const { body, headers } = await enter({ password: 'a lake at dawn' });
      expect(body).toMatchObject({ status: true });
      const cookie = String(headers.get('set-cookie')).split(';')[0]!;
      await eventually(async () => {
        const page = await service.call('GET', `/v2/shared/${token}/media`, { headers: { cookie } });
        return page.body.media?.length === 2;
      });
    },
    19: async () => {
      const table = join(stage.folder, 'animals.csv');
      await writeFile(table, 'model,width,height,prompt\nlocal-image,64,64,a fox\nvendor-image,,,a bad hare\n');
      stage.vendor.plan(['moderates']);
      expect((await run(['batch', 'run', table, '--cost'])).out).toBe('7 credits for 2 rows\n');
      const batch = ['batch', 'run', table, '--key', 'animals', '--out', join(stage.folder, 'animals')];
      const { code, out } = await run(batch);
      expect([code, out.trim().split('\n')]).toEqual([
        1,
        [expect.stringMatching(/^1\tsucceeded\t.+\.webp$/), expect.stringMatching(/^2\tfailed\tcontent_rejected: /)],
      ]);
      const charged = await reach.charged(async () => {
        const { rows } = JSON.parse((await run([...batch, '--json'])).out);
        expect(await readFile(rows[0].saved[0])).toEqual(await bytesAt(rows[0].output.url));
      });
      expect(charged).toBe(0);
    },
    20: async () => {
      const received: { body: string; headers: object }[] = [];
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          received.push({ body, headers: request.headers });
          response.writeHead(204).end();
        });
      });
      const url = `http://${await listen(server)}/hook`;
      untilTestEnds({ close: () => server.close() });
      const options = ['--types', 'generation.succeeded', '--forward', url, '--json'];
      const { child, output, ended } = start(['listen', ...options]);
      const secret = await eventually(() => /whsec_\S+/.exec(output.messages)?.[0]);
      const { id } = await generate('a lake that tells');
      await eventually(() => output.out.includes('\n'));
      child.kill('SIGINT');
      const { code, out } = await ended;
      const [{ body, headers }] = received as [{ body: string; headers: Record<string, string> }];
      const event = verifyEvent(body, headers, secret);
      expect(event).toMatchObject({ type: 'generation.succeeded', subject: { type: 'generation', id } });
      expect([code, JSON.parse(out)]).toEqual([130, { event, response: 204 }]);
    },
  });

  it('signs in with a token of standard input, keeps it for the user alone, and forgets it', async () => {
    const XDG_CONFIG_HOME = join(stage.folder, 'config');
    const file = join(XDG_CONFIG_HOME, 'x12/config.json');
    await mkdir(join(XDG_CONFIG_HOME, 'x12'), { recursive: true });
    await writeFile(file, '{}', { mode: 0o644 });
    const login = ['login', '--url', service.baseUrl];
    const wrong = await run(login, { XDG_CONFIG_HOME }, 'x12_wrong\n');
    expect([wrong.code, await readFile(file, 'utf8')]).toEqual([5, '{}']);
    const { code, messages } = await run(login, { XDG_CONFIG_HOME }, `${stage.user.token}\n`);
    expect([code, messages]).toEqual([0, expect.stringContaining(`${service.baseUrl}/console/tokens`)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await run(['whoami'], { XDG_CONFIG_HOME })).out).toMatch(
      /account\t.+@.+\nworkspace\t.+\ncredits left\t\d+\n/,
    );
    const elsewhere = await run(['whoami'], { XDG_CONFIG_HOME, X12_URL: 'http://127.0.0.1:9' });
    expect(elsewhere).toMatchObject({ code: 5, messages: expect.stringContaining('no token for http://127.0.0.1:9') });
    await run(['logout'], { XDG_CONFIG_HOME });
    expect((await run(['whoami'], { XDG_CONFIG_HOME })).code).toBe(5);
  });

  it('leaves a generation running when its wait is interrupted, and says how to collect it', async () => {
    const prompt = 'a heron that goes on';
    const { child, ended } = start(['generate', prompt, '--model', 'vendor-image', '--wait']);
    const of = async () => (await reach.generations()).find((each) => each.prompt === prompt);
    const { id } = (await eventually(of))!;
    await eventually(() => stage.vendor.submissions.some(({ fields }) => JSON.stringify(fields).includes(prompt)));
    child.kill('SIGINT');
    const { code, messages } = await ended;
    expect([code, messages]).toEqual([130, expect.stringContaining(`x12 wait ${id}`)]);
    expect(await json('wait', String(id))).toMatchObject({ id, state: 'succeeded' });
  });

  it('reports wrong usage and a service that is away by their exit codes', async () => {
    const away = { ...account(), X12_URL: 'http://127.0.0.1:9' };
    const { code, out, messages } = await run(['models', '--json'], away);
    expect([code, JSON.parse(out).error.code, messages]).toEqual([4, 'network_error', expect.any(String)]);
    expect((await run(['generate'])).code).toBe(2);
    expect((await run(['upload', join(stage.folder, 'none.png')])).code).toBe(2);
  });
});
