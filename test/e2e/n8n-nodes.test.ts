/** @tier deep, 60 s, about libs/n8n-nodes-x12 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { EVENT_TYPES } from '#events';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/processes.ts';
import { teamOf } from '../support/team-of.ts';
import { callerOf, prepared, usePictures, useService } from '../support/use-service.ts';
import { startWebhookReceiver, type ReceivedCall } from '../support/webhook-receiver.ts';

type Data = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- items of n8n have any fields
interface Item {
  readonly json: Data;
  readonly binary?: Record<string, { mimeType: string; fileName: string; bytes: Buffer }>;
  readonly pairedItem?: object;
}

/** A copy of the package, installed and built as its users do. */
const built = prepared(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'x12-n8n-'));
  const filter = (source: string) => !['node_modules', 'dist'].includes(basename(source));
  await cp(join(ROOT, 'libs', 'n8n-nodes-x12'), folder, { recursive: true, filter });
  const npm = async (...args: string[]) => {
    const done = promisify(execFile)('npm', args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } });
    return (await done.catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)))).stdout;
  };
  await npm('ci', '--ignore-scripts', '--prefer-offline');
  await npm('run', 'build');
  const load = createRequire(join(folder, 'package.json'));
  const nodes = {
    x12: load('./dist/nodes/X12/X12.node.js').X12,
    trigger: load('./dist/nodes/X12Trigger/X12Trigger.node.js').X12Trigger,
  };
  const credential = load('./dist/credentials/X12Api.credentials.js').X12Api;
  return { folder, npm, nodes, credential, n8n: load('n8n-workflow'), stop: () => rm(folder, { recursive: true }) };
});

const receiver = prepared(startWebhookReceiver);
const pictures = usePictures();
const service = useService(() => ({ FETCH_ALLOWED_HOSTS: `${receiver.host},${pictures.host}` }));
const owner = prepared(async () => (await teamOf(service)).owner);
const call = callerOf(service, owner);
const used = async () => (await call('GET', '/v2/credits')).body.credits.used as number;

/** Sends a request as n8n does. */
async function send({ method = 'GET', url, qs = {}, headers, body, encoding, returnFullResponse }: Data) {
  const target = new URL(url);
  for (const [name, value] of Object.entries(qs)) if (value !== undefined) target.searchParams.set(name, String(value));
  const isBytes = body instanceof Readable || Buffer.isBuffer(body);
  const type = body && !isBytes ? { 'content-type': 'application/json' } : {};
  const init = {
    method,
    headers: { ...type, ...headers },
    body: isBytes ? body : JSON.stringify(body),
    duplex: 'half',
  };
  const response = await fetch(target, init as RequestInit);
  if (encoding === 'stream') return Readable.fromWeb(response.body as never);
  const text = await response.text();
  const parsed = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  return returnFullResponse
    ? { statusCode: response.status, headers: Object.fromEntries(response.headers), body: parsed }
    : parsed;
}

interface Run {
  readonly items?: readonly object[];
  readonly token?: string;
  readonly executionId?: string;
  readonly runIndex?: number;
  readonly continues?: boolean;
  readonly isTool?: boolean;
  readonly staticData?: Data;
  /** Sees or changes a request before it is sent. */
  readonly intercept?: (request: Data) => void;
}

let executions = 1000;

/** The functions of n8n that the nodes call, for parameters as n8n fills them in. */
function contextOf(
  node: Data,
  given: Data,
  { items = [{ json: {} }], executionId = String(++executions), ...run }: Run = {},
) {
  const { properties } = node.description;
  const parameters = built.n8n.NodeHelpers.getNodeParameters(properties, given, true, false, null, node.description);
  const binaryOf = (index: number, field: string) => (items[index] as Item).binary![field]!;
  const credential = { baseUrl: `${service.baseUrl}/`, token: run.token ?? owner.token };
  return {
    getInputData: () => items,
    getNode: () => ({ id: 'node-1', name: 'X12', type: 'x12', typeVersion: 1, position: [0, 0], parameters }),
    getWorkflow: () => ({ id: 'workflow-1', name: 'Foxes' }),
    getInstanceId: () => 'instance-1',
    getExecutionId: () => executionId,
    getExecutionCancelSignal: () => undefined,
    evaluateExpression: (text: string) => (text === '{{ $runIndex }}' ? (run.runIndex ?? 0) : null),
    isToolExecution: () => run.isTool ?? false,
    continueOnFail: () => run.continues ?? false,
    getCredentials: async () => credential,
    getNodeWebhookUrl: () => `${receiver.url}/webhook`,
    getWorkflowStaticData: () => run.staticData!,
    getNodeParameter(name: string, _index?: number, fallback?: unknown, options?: { ensureType?: string }) {
      const value = parameters[name] ?? fallback;
      if (value === undefined) throw new Error(`Could not get parameter ${name}`);
      return options?.ensureType === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
    },
    helpers: {
      async httpRequestWithAuthentication(this: unknown, name: string, request: Data) {
        const { authenticate, name: ours } = new built.credential();
        expect(name).toBe(ours);
        run.intercept?.(request);
        const authorization = authenticate.properties.headers.Authorization.slice(1);
        const headers = {
          ...request.headers,
          authorization: authorization.replace('{{$credentials.token}}', credential.token),
        };
        return send({ ...request, headers });
      },
      httpRequest: async (request: Data) => {
        run.intercept?.(request);
        return send(request);
      },
      assertBinaryData: binaryOf,
      getBinaryDataBuffer: async (index: number, field: string) => binaryOf(index, field).bytes,
      getBinaryStream: async (id: string) =>
        Readable.from([pictures.png.subarray(0, 50), pictures.png.subarray(50)].slice(id === 'stored' ? 0 : 2)),
      getBinaryMetadata: async () => ({ fileSize: pictures.png.length }),
      prepareBinaryData: async (bytes: Readable, fileName: string, mimeType: string) => ({
        fileName,
        mimeType,
        bytes: await buffer(bytes),
      }),
    },
  };
}

async function execute(given: Data, run?: Run): Promise<Item[]> {
  const node = new built.nodes.x12();
  return (await node.execute.call(contextOf(node, given, run)))[0];
}
const FOX = { operation: 'generate', model: 'local-image', prompt: 'a fox', parameters: '{"width": 64, "height": 64}' };
const rejection = (promise: Promise<unknown>): Promise<Data> =>
  promise.then(
    () => expect(0).toBe(1),
    (error) => error,
  ) as never;

describe('the package of the nodes', () => {
  it('is clean to the linter of n8n, and has all that its manifest names', async () => {
    await built.npm('run', 'lint');
    const { n8n } = JSON.parse(await readFile(join(built.folder, 'package.json'), 'utf8'));
    const [{ files }] = JSON.parse(await built.npm('pack', '--dry-run', '--json', '--ignore-scripts'));
    const icons = ['dist/icons/x12.svg', 'dist/icons/x12.dark.svg'];
    const codex = n8n.nodes.map((node: string) => `${node}on`);
    expect(files.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining([...n8n.credentials, ...n8n.nodes, ...codex, ...icons]),
    );
    for (const file of codex)
      // n8n ignores a codex without resources.
      expect(JSON.parse(await readFile(join(built.folder, file), 'utf8'))).toHaveProperty('resources');
    expect(await readFile(join(built.folder, 'package-lock.json'), 'utf8')).not.toMatch(/registry|"resolved"/);
  });

  it('offers the event types of the service', () => {
    const [{ options }] = new built.nodes.trigger().description.properties;
    const offered = options.map(({ value }: { value: string }) => value);
    expect(offered.toSorted()).toEqual(['*', ...EVENT_TYPES.filter((type) => type !== 'test')].toSorted());
  });
});

describe('the action node', () => {
  it('makes a picture, with the price shown before, and charges exactly that', async () => {
    const node = new built.nodes.x12();
    const models = await node.methods.loadOptions.getModels.call(contextOf(node, {}));
    expect(models).toContainEqual(
      expect.objectContaining({ value: 'local-image', name: expect.stringContaining('4 credits') }),
    );
    const before = await used();
    const [price] = await execute({ ...FOX, costOnly: true });
    expect([price!.json.dry_run, await used()]).toEqual([true, before]);
    const page = await readFile(join(ROOT, 'docs', 'reach.md'), 'utf8');
    const { nodes } = JSON.parse(/```json\n(.+?)```/s.exec(page)![1]!);
    const [made] = await execute(nodes.find(({ type }: Data) => type === 'n8n-nodes-x12.x12').parameters);
    const { fileName, mimeType, bytes } = made!.binary!.data!;
    expect([mimeType, (await sharp(bytes).metadata()).width]).toEqual([made!.json.content_type, 512]);
    const json = { url: expect.stringContaining(fileName), generation: { prompt: 'a fox in the snow' } };
    expect(made).toMatchObject({ json, pairedItem: { item: 0 } });
    expect(await used()).toBe(before + price!.json.cost);
  });

  it('is charged once for the retries of an execution, and anew for another run, item or execution', async () => {
    const before = await used();
    const ids = async (run: Run) =>
      (await execute(FOX, { executionId: '2', ...run })).map(({ json }) => json.generation.id);
    const [one, two] = await ids({ items: [{}, {}] });
    expect(await ids({ items: [{}, {}] })).toEqual([one, two]);
    const others = [await ids({ runIndex: 1 }), await ids({ executionId: '3' })].flat();
    expect(new Set([one, two, ...others]).size).toBe(4);
    const tool = [await ids({ isTool: true }), await ids({ isTool: true, runIndex: 1 })].flat();
    expect(new Set(tool).size).toBe(1);
    expect(await used()).toBe(before + 5 * 4);
  });

  it('collects later what has been started, and starts anew after a failure, which costs nothing', async () => {
    const [started] = await execute({ ...FOX, waitForEnd: false }, { executionId: '4' });
    const collect = { operation: 'collect', generationId: started!.json.generation_id, outputField: '' };
    expect((await execute(collect))[0]).toMatchObject({
      json: { generation: { id: started!.json.generation_id } },
      binary: undefined,
    });
    const before = await used();
    const broken = { ...FOX, imageUrl: pictures.url('/no.txt') };
    const fail = () => rejection(execute(broken, { executionId: '5' }));
    const failures = [await fail(), await fail()];
    expect(failures[0]!.context.code).toEqual(expect.stringMatching(/^\w+$/));
    expect(new Set(failures.map(({ message }) => /\d+/.exec(message)![0])).size).toBe(2);
    expect(await used()).toBe(before);
  });

  it('fails after its limit, and waits on when it is tried again, also while the service is not reached', async () => {
    await service.stopWorker();
    const ended = await rejection(execute({ ...FOX, waitSeconds: 1 }, { executionId: '8' }));
    expect(ended.message).toMatch(/^Generation \d+ has not ended within 1 seconds$/);
    await service.startWorker();
    const unreached = [new built.n8n.NodeApiError({}, { message: 'socket hang up' })];
    const intercept = ({ url }: Data) => {
      if (url.includes('/generations/') && unreached.length > 0) throw unreached.pop();
    };
    const [retried] = await execute(FOX, { executionId: '8', intercept });
    expect(ended.message).toContain(`Generation ${retried!.json.generation.id} `);
  });

  it('reports code and fields of a refusal, or goes on with an item that has them', async () => {
    const wrong = { ...FOX, parameters: '{"width": "wide"}' };
    const error = await rejection(execute(wrong));
    expect(error).toMatchObject({ httpCode: '400', context: { code: 'validation_failed', itemIndex: 0 } });
    expect(error.description).toMatch(/^validation_failed\nwidth: /);
    const items = await execute(wrong, { items: [{}, {}], continues: true });
    expect(items.map(({ json, pairedItem }) => [json.code, Object.keys(json.errors), pairedItem])).toEqual(
      [0, 1].map((item) => ['validation_failed', ['width'], { item }]),
    );
    expect(await rejection(execute(FOX, { token: 'x12_no' }))).toMatchObject({
      httpCode: '401',
      context: { code: 'unauthenticated' },
    });
  });

  it('uploads a stream or bytes, once for all retries, for a file or as the input of a picture', async () => {
    const puts: string[] = [];
    const intercept = ({ method, url }: Data) => void (method === 'PUT' && puts.push(url));
    for (const stored of [{ id: 'stored' }, { bytes: pictures.png }]) {
      const run = {
        items: [{ binary: { data: { fileName: 'fox.png', ...stored } } }],
        executionId: `up ${'id' in stored}`,
        intercept,
      };
      const [file] = await execute({ operation: 'upload' }, run);
      expect(Buffer.from(await (await fetch(file!.json.url)).arrayBuffer())).toEqual(pictures.png);
      expect(await execute({ operation: 'upload' }, run)).toEqual([file]);
      const draw = () => execute({ ...FOX, imageField: 'data' }, { ...run, executionId: `${run.executionId} drawn` });
      const drawn = [...(await draw()), ...(await draw())];
      expect(drawn[0]!.json.generation.inputs.image).toMatch(/x12tmp-fox\.png$/);
      expect(drawn[1]!.json.generation.id).toBe(drawn[0]!.json.generation.id);
    }
    expect(puts).toHaveLength(4);
  });

  it('finds pictures page by page, and shares them by a link that needs no account', async () => {
    const prompted = { ...FOX, prompt: 'a heron' };
    const made = await execute(prompted, { items: [{}, {}, {}], executionId: '6' });
    const find = { operation: 'find', query: 'heron' };
    const intercept = ({ qs }: Data) => void (qs?.limit && (qs.limit = 1));
    const found = await eventually(async () => {
      const items = await execute({ ...find, returnAll: true }, { intercept });
      return items.length === 3 && items;
    });
    const ids = (items: Item[]) => items.map(({ json }) => json.file_id).toSorted();
    expect(ids(found)).toEqual(ids(made));
    expect(await execute({ ...find, limit: 2 }, { intercept })).toHaveLength(2);
    const files = `${found[0]!.json.file_id}, ${found[1]!.json.url}`;
    const share = { operation: 'share', files, shareOptions: { allow: ['download'] } };
    const [link] = await execute(share, { executionId: '7' });
    expect((await execute(share, { executionId: '7' }))[0]!.json.id).toBe(link!.json.id);
    const shown = await call('GET', `/v2/shared/${link!.json.url.split('/s/')[1]}/media`, { token: '' });
    expect(shown.body.media).toHaveLength(2);
  });
});

it('all work with a token of the scopes that the credential names, which its test accepts', async () => {
  const { properties, test } = new built.credential();
  const scopes = /Scopes: (.+)\.$/.exec(properties[1].description)![1]!.split(/, |; and | of an admin/);
  const json = { name: 'n8n', scopes: scopes.filter((scope) => /^\w+$/.test(scope)) };
  expect(json.scopes).toHaveLength(5);
  const { token } = (await call('POST', '/v2/auth/tokens', { json })).body;
  expect((await service.call('GET', test.request.url, { token })).status).toBe(200);
  const [made] = await execute(FOX, { token });
  const items = [{ json: made!.json, binary: { data: { fileName: 'fox.png', bytes: pictures.png } } }];
  for (const operation of ['upload', 'find', 'share'])
    await execute({ operation, files: made!.json.file_id }, { token, items });
  const hooks = new built.nodes.trigger();
  for (const name of ['create', 'delete'])
    await hooks.webhookMethods.default[name].call(contextOf(hooks, { types: ['*'] }, { token, staticData: {} }));
});

describe('the trigger node', () => {
  const staticData: Data = {};
  const given = { types: ['board.created'] };
  const hook = async (name: string, data = staticData, types = given) => {
    const node = new built.nodes.trigger();
    return node.webhookMethods.default[name].call(contextOf(node, types, { staticData: data }));
  };
  const listed = async () => (await call('GET', '/v2/webhook_endpoints')).body.webhook_endpoints as Data[];
  let event: ReceivedCall;

  /** Hands a call to the node. @returns the emitted events, or the status of a refusal */
  async function deliver({ headers, body }: Pick<ReceivedCall, 'headers' | 'body'>): Promise<unknown> {
    const node = new built.nodes.trigger();
    let refused = 0;
    const response = { status: (status: number) => ((refused = status), { json: () => undefined }) };
    const request = {
      getRequestObject: () => ({ rawBody: Buffer.from(body) }),
      getHeaderData: () => headers,
      getResponseObject: () => response,
    };
    const result = await node.webhook.call({ ...contextOf(node, given, { staticData }), ...request });
    return result.noWebhookResponse ? refused : (result.workflowData?.[0].map(({ json }: Item) => json) ?? []);
  }

  beforeAll(async () => {
    expect(await hook('checkExists')).toBe(false);
    await hook('create');
    await call('POST', '/boards', { json: { name: 'Foxes' } });
    await eventually(() => receiver.calls.length === 1);
    event = receiver.calls[0]!;
  });

  it('registers one endpoint of its types, also after n8n has lost its secret', async () => {
    expect(await hook('checkExists')).toBe(true);
    expect(await hook('checkExists', staticData, { types: ['*'] })).toBe(false);
    expect(await hook('checkExists', {})).toBe(false);
    await hook('create', {});
    expect(await listed()).toMatchObject([{ types: ['board.created'], url: `${receiver.url}/webhook`, active: true }]);
  });

  it('emits an event that the service signed, once', async () => {
    expect(await deliver(event)).toMatchObject([{ type: 'board.created', data: { name: 'Foxes' } }]);
    expect(await deliver(event)).toEqual([]);
  });

  it('refuses other bodies, secrets and ids, and what is older than five minutes', async () => {
    const signed = (secret: string, at: number, body = event.body) => {
      const sentAt = new Date(Date.now() - at * 1000);
      const headers = { 'webhook-id': `msg ${at}`, 'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)) };
      return {
        headers: { ...headers, 'webhook-signature': new Webhook(secret).sign(`msg ${at}`, sentAt, body) },
        body,
      };
    };
    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const good = signed(staticData.secret, 290);
    expect(await deliver(good)).toHaveLength(1);
    const forged = [
      { ...good, body: `${good.body} ` },
      { ...good, headers: { ...good.headers, 'webhook-id': 'other' } },
    ];
    const refused = [
      ...forged,
      { ...good, headers: {} },
      signed(other, 0),
      signed(staticData.secret, 310),
      signed(staticData.secret, -310),
    ];
    expect(await Promise.all(refused.map(deliver))).toEqual(refused.map(() => 401));
  });

  it('leaves no endpoint when it is deleted', async () => {
    expect(await hook('delete')).toBe(true);
    expect([await listed(), staticData.secret]).toEqual([[], undefined]);
  });
});
