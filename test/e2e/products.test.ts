/**
 * An application on this service, by API alone: the requests of docs/products.md, and what no single part shows, from the
 * operator's token to the customer in an event.
 *
 * @tier test, 25 s
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';
import { verifyEvent } from '../../libs/client/src/webhooks.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { itHere } from '../support/service.ts';
import { prepared, untilTestEnds, useService } from '../support/use-service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const ADMIN_TOKEN = 'operators-only-0123456789-abcdefghijk';
const PAST = '2026-10-23';
const receiver = prepared(startWebhookReceiver);
const service = useService(() => ({ ADMIN_TOKEN, FETCH_ALLOWED_HOSTS: receiver.host }));
afterEach(() => void receiver.calls.splice(0));

/** Fenced requests of the page, each with the responses that follow it. */
function requestsOf(page: string): { request: string; responses: object[] }[] {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```\n\n(?:^```json\n([^]*?)^```$)?/gm)];
  return blocks.map(([, request, response = '']) => ({ request: request!, responses: parsedAll(response) }));
}

/** JSON values, each of which begins at the beginning of a line. */
const parsedAll = (text: string): object[] =>
  text.split(/\n(?=\{)/).flatMap((part) => (part.trim() ? [JSON.parse(part) as object] : []));

/** A response that the page shows: texts with `…` are any that begin and end like this. */
function like(shown: unknown): unknown {
  if (typeof shown === 'string' && shown.includes('…')) {
    const parts = shown.split('…').map((part) => part.replaceAll(/[.?+*/\\]/g, String.raw`\$&`));
    return expect.stringMatching(new RegExp(`^${parts.join('.+')}$`));
  }
  if (Array.isArray(shown)) return shown.map(like);
  if (typeof shown !== 'object' || shown === null) return shown;
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([name, each]) => [name, like(each)])));
}

/** One shell, which remembers its variables. It ends at the first command that fails. */
function startShell() {
  const cwd = mkdtempSync(join(tmpdir(), 'x12-products-'));
  const env = { ...process.env, ADMIN_TOKEN };
  const shell = spawn('bash', ['-eu', '-o', 'pipefail'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  return untilTestEnds({
    async run(commands: string): Promise<string> {
      shell.stdin.write(`${commands}\nprintf '\\n%s\\n' end-of-commands\n`);
      const printed: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the shell has ended in ${commands}`);
        if (value === 'end-of-commands') return printed.join('\n');
        printed.push(value);
      }
    },
    async stop() {
      shell.kill();
      await rm(cwd, { recursive: true });
    },
  });
}

itHere('the requests of docs/products.md have the responses that it shows, in 15 requests', async () => {
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:3000', service.baseUrl).replaceAll('https://app.example.com', receiver.url);
  const page = readFileSync(join(import.meta.dirname, '../../docs/products.md'), 'utf8');
  const requests = requestsOf(here(page));
  const shell = startShell();
  for (const { request, responses } of requests) {
    // An event is listed and delivered a moment after the generation has ended.
    if (request.includes('/v2/events')) await eventually(() => receiver.calls.length === 5);
    const printed = (await shell.run(request)).replaceAll('}{', '}\n{');
    expect([request, parsedAll(printed)]).toEqual([request, responses.map(like)]);
  }
  expect(requests.flatMap(({ request }) => request.match(/\bcurl /g) ?? []).length).toBeLessThanOrEqual(15);
  expect(requests.flatMap(({ responses }) => responses)).toHaveLength(14);
});

describe('an application', () => {
  const CALL = { model: 'local-image', prompt: 'a fox', width: 64, customer: 'user-17', metadata: { order: '8' } };

  const app = prepared(async () => {
    const operator = { token: ADMIN_TOKEN, json: { name: 'my app', scopes: ['operate'] } };
    const machine = (await service.call('POST', '/admin/api/tokens', operator)).body.token as string;
    const operate = async (method: string, path: string, json: object) =>
      (await service.call(method, `/admin/api/${path}`, { token: machine, json })).body;
    const opening = { name: 'Globex', plan: 'free', external_id: 'globex' };
    const { id } = (await operate('POST', 'workspaces', opening)).workspace;
    const { token } = await operate('POST', `workspaces/${id}/tokens`, { name: 'my app' });
    const call = (method: string, path: string, json?: object) =>
      service.call(method, path, { token, ...(json && { json }) });
    const endpoint = (await call('POST', '/v2/webhook_endpoints', { url: receiver.url })).body.webhook_endpoint;
    return { operate, call, secret: endpoint.secret as string };
  });

  /** Events of the customer as they are listed, once there are so many. */
  const listed = (count: number, query = '') =>
    eventually(async () => {
      const { events } = (await app.call('GET', `/v2/events?customer=user-17&limit=200${query}`)).body;
      return events.length === count && (events as ReturnType<typeof verifyEvent>[]);
    });

  /** Verified events of the customer that the endpoint has got, in the order of their arrival. */
  const received = (subject: string) =>
    receiver.calls
      .map(({ body, headers }) => verifyEvent(body, headers, app.secret))
      .filter((event) => event.customer === 'user-17' && event.subject.type === subject);

  it('spends the budget of a customer to the last credit, and gets each event as it is listed', async () => {
    await app.call('PUT', '/v2/customers/user-17', { total_credits: 20 });
    const calls = await Promise.all(Array.from({ length: 6 }, () => app.call('POST', '/v2/generate', CALL)));
    const [accepted, refused] = [202, 402].map((status) => calls.filter((each) => each.status === status));
    expect([accepted!.length, refused!.length]).toEqual([5, 1]);
    expectRefusal(refused![0]!, 402, 'budget_exceeded');
    expect(refused![0]!.body.budget).toBe('customer');
    const events = await listed(5, '&types=generation.succeeded');
    const { customers } = (await app.call('GET', '/v2/customers')).body;
    expect(customers).toMatchObject([{ customer: 'user-17', total: { used: 20, reserved: 0 } }]);
    const { usage } = (await app.call('GET', '/v2/credits/usage?group_by=customer')).body;
    expect(usage).toMatchObject([{ customer: 'user-17', used: 20, generations: 5 }]);

    const { customer, metadata } = CALL;
    for (const event of events)
      expect(event).toMatchObject({ type: 'generation.succeeded', customer, data: { cost: 4, customer, metadata } });
    const subjects = events.map(({ subject }) => subject.id);
    expect(new Set(subjects)).toEqual(new Set(accepted!.map(({ body }) => body.generation_id)));
    await eventually(() => received('generation').length === 5);
    expect(received('generation').toSorted((one, other) => one.number - other.number)).toEqual(events);
  });

  it('gets the events of a board in their order, each with the customer of the board', async () => {
    const { board } = (await app.call('POST', '/boards', { name: 'Foxes', customer: 'user-17' })).body;
    await app.call('DELETE', `/boards/${board.id}`);
    const events = await listed(2, `&subject=board:${board.id}`);
    expect(events.map(({ type }) => type)).toEqual(['board.created', 'board.deleted']);
    await eventually(() => received('board').length === 2);
    expect(received('board')).toEqual(events);
  });

  it('goes on with the successor of a model that has ended, by the same call', async () => {
    await app.call('PUT', '/v2/customers/user-17', { total_credits: null });
    const entry = { provider: 'local', target: 'local-image', tasks: ['generate'], cost: 3 };
    const models: string[][] = [];
    for (const end of [{}, { retires_at: PAST, successor: 'local-image' }]) {
      const { status } = await app.operate('PUT', 'models/sketch-2', { entry: { ...entry, ...end } });
      expect(status).toBe(true);
      const { body } = await app.call('POST', '/v2/generate', { ...CALL, model: 'sketch-2' });
      const [event] = await listed(1, `&subject=generation:${body.generation_id}`);
      const { model, requested_model: requested, cost } = body;
      expect(event!.data).toMatchObject({ state: 'succeeded', model, requested_model: requested, cost });
      models.push([requested, model, cost]);
    }
    expect(models).toEqual([
      ['sketch-2', 'sketch-2', 3],
      ['sketch-2', 'local-image', 4],
    ]);
  });
});
