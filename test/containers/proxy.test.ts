/** @tier deep, 30 s, about scripts/proxy */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GenericContainer, Network, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/rounds.ts';

/**
 * An API: `/count` tells the connections it has had, `/die-once` and `/die` end theirs without a response, `/stream` is
 * open and beats.
 */
const API = `
  let [connections, deaths] = [0, 0];
  const server = require('node:http').createServer((request, response) => {
    const isDeath = request.url === '/die' || (request.url === '/die-once' && deaths++ % 2 === 0);
    if (isDeath) return request.socket.destroy();
    if (request.url === '/stream') {
      const beat = setInterval(() => response.write(':\\n'), 100);
      return response.on('close', () => clearInterval(beat));
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ connections, id: request.headers['x-request-id'] }));
  });
  server.keepAliveTimeout = 65_000;
  server.on('connection', () => connections++);
  server.listen(3000);
  process.on('SIGTERM', () => process.exit());`;

const SOURCE = join(import.meta.dirname, '..', '..', 'scripts', 'proxy');
const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim();

let folder: string;
let network: StartedNetwork;
let image: GenericContainer;
let api: StartedTestContainer;
let proxy: StartedTestContainer;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  network = await new Network().start();
  folder = mkdtempSync(join(tmpdir(), 'x12-proxy-'));
  chmodSync(folder, 0o755);
  copyFileSync(join(SOURCE, 'haproxy.cfg'), join(folder, 'haproxy.cfg'));
  image = await GenericContainer.fromDockerfile(SOURCE).build('x12-proxy', { deleteOnExit: false });
  api = await new GenericContainer('node:24-trixie-slim')
    .withNetwork(network)
    .withNetworkAliases('api')
    .withCommand(['node', '-e', API])
    .start();
  image
    .withNetwork(network)
    .withEnvironment({ API_HOST: 'api', STORAGE_HOST: '', TLS_CERTIFICATE: '', OUTER_PROXIES: '255.255.255.255' })
    .withBindMounts([{ source: folder, target: '/etc/haproxy', mode: 'ro' }])
    .withExposedPorts(8080, 8405);
  proxy = await image.start();
  await eventually(async () => (await call('GET', '/count')).status === 200);
});
afterAll(async () => {
  agent.destroy();
  await proxy?.stop({ timeout: 0 });
  await api?.stop({ timeout: 0 });
  await network?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** On one connection of the client. */
function call(method: string, path: string, headers: Record<string, string> = {}): Promise<ProxyResponse> {
  const options = { host: proxy.getHost(), port: proxy.getMappedPort(8080), method, path, headers, agent };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(text) }),
      );
    });
    sent.on('error', reject).end();
  });
}

/** Event streams that are open; `beats` counts what all of them have received. */
async function openStreams(through: StartedTestContainer, count: number): Promise<{ beats: number; ended: number }> {
  const seen = { beats: 0, ended: 0 };
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = { host: through.getHost(), port: through.getMappedPort(8080), path: '/stream', agent: false };
      get(options, (response) => {
        response.on('data', () => seen.beats++).on('close', () => seen.ended++);
        response.on('error', () => undefined).once('data', () => resolve());
      }).on('error', reject);
    });
  await Promise.all(Array.from({ length: count }, open));
  return seen;
}

describe('the proxy', () => {
  it('keeps its connections to the API open', async () => {
    const { connections: before } = (await call('GET', '/count')).body as { connections: number };
    for (let times = 0; times < 30; times++) await call('GET', '/count');
    const { connections: after } = (await call('GET', '/count')).body as { connections: number };
    // Its checks, once a second, are connections too.
    expect(after - before).toBeLessThan(10);
  });

  it('sends a read again that its process has not responded to, and no write', async () => {
    expect((await call('GET', '/die-once')).status).toBe(200);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect([method, (await call(method, '/die')).status]).toEqual([method, 502]);
    }
  });

  it('shows Prometheus what it counts', async () => {
    await call('GET', '/count');
    const text = await (await fetch(`http://${proxy.getHost()}:${proxy.getMappedPort(8405)}/metrics`)).text();
    expect(text).toMatch(/^haproxy_backend_http_responses_total\{proxy="reads",code="2xx"\} [1-9]/m);
  });

  it('gives the API the id of the client for a request, or a new one when that is malformed', async () => {
    expect((await call('GET', '/count', { 'x-request-id': 'mine-1' })).body.id).toBe('mine-1');
    expect((await call('GET', '/count', { 'x-request-id': 'not "mine"' })).body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call('GET', '/count')).body.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reports a write without a response as the API reports errors', async () => {
    const { status, headers, body } = await call('POST', '/die', { 'x-request-id': 'mine-2' });
    expect([status, headers['content-type'], headers['x-request-id']]).toEqual([502, 'application/json', 'mine-2']);
    const message = expect.stringContaining('Idempotency-Key');
    expect(body).toEqual({ status: false, code: 'unavailable', message, request_id: 'mine-2' });
  });

  it('reads its configuration anew without failing a request or ending a stream', async () => {
    const file = join(folder, 'haproxy.cfg');
    const former = readFileSync(file, 'utf8');
    const streams = await openStreams(proxy, 5);
    for (const round of Array.from({ length: rounds() }, (_, index) => `round-${index}`)) {
      writeFileSync(
        file,
        former.replace('  bind :8080\n', `  bind :8080\n  http-response set-header x-round ${round}\n`),
      );
      docker('kill', '--signal', 'USR2', proxy.getId());
      await eventually(async () => {
        const { status, headers } = await call('GET', '/count', { connection: 'close' });
        expect(status).toBe(200);
        expect((await call('GET', '/count')).status).toBe(200);
        return headers['x-round'] === round;
      });
    }
    const { beats } = streams;
    await eventually(() => streams.beats >= beats + 10);
    expect(streams.ended).toBe(0);
  });

  it('goes on with its configuration when the new one is wrong', async () => {
    writeFileSync(join(folder, 'haproxy.cfg'), 'no configuration\n');
    docker('kill', '--signal', 'USR2', proxy.getId());
    const logs = () => spawnSync('docker', ['logs', proxy.getId()], { encoding: 'utf8' }).stderr;
    await eventually(() => logs().includes('Loading failure!'));
    expect((await call('GET', '/count')).status).toBe(200);
    copyFileSync(join(SOURCE, 'haproxy.cfg'), join(folder, 'haproxy.cfg'));
  });

  it('does not wait for streams when it is stopped', async () => {
    const other = await image.start();
    await eventually(() => openStreams(other, 1).catch(() => null));
    const streams = await openStreams(other, 50);
    docker('stop', '--time', '10', other.getId());
    await eventually(() => streams.ended === 50);
    const KILLED = '137';
    expect(docker('inspect', '--format', '{{.State.ExitCode}}', other.getId())).not.toBe(KILLED);
    await other.stop({ timeout: 0 });
  });

  it('says so in the same way, and when to try again, while no API serves', async () => {
    await api.stop({ timeout: 0 });
    const { headers, body } = await eventually(async () => {
      // A read on a connection that ends is the client's to repeat when no process is left to send it to.
      const response = await call('GET', '/count', { 'x-request-id': 'mine-3' }).catch(() => null);
      return response?.status === 503 && response;
    });
    expect(headers['retry-after']).toBe('2');
    const message = 'no process of the API is ready; try again';
    expect(body).toEqual({ status: false, code: 'unavailable', message, request_id: 'mine-3' });
  });
});
