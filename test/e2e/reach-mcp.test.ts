/**
 * MCP as the official client speaks it, in both revisions: no lower layer has its requests.
 *
 * @tier test, 30 s
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from '@jest/globals';
import { acceptance } from '../support/acceptance.ts';
import { eventually } from '../support/eventually.ts';
import { useReach } from '../support/reach-stage.ts';
import { prepared, untilTestEnds } from '../support/use-service.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const reach = useReach();
const { service, stage } = reach;
const SMALL = { width: 64, height: 64 };

async function connect(token: string, revision: (typeof REVISIONS)[number]) {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }));
  return client;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the results of twelve tools
type Facts = any;
interface ToolOutcome {
  readonly facts: Facts;
  readonly isError: boolean;
  readonly content: readonly { readonly type: string; readonly data?: string; readonly mimeType?: string }[];
}

const toolsOf =
  (client: Client) =>
  async (name: string, args: object = {}): Promise<ToolOutcome> => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content as { type: string; text: string }[];
    return { facts: first!.text.startsWith('{') ? JSON.parse(first!.text) : first!.text, isError, content };
  };

const mcp = prepared(async () => {
  const client = await connect(stage.user.token, '2026-07-28');
  const tool = toolsOf(client);
  const paint = async (args: object) => (await tool('generate_image', { parameters: SMALL, ...args })).facts;
  return { client, tool, paint, stop: () => client.close() };
});

describe('MCP', () => {
  acceptance('MCP', {
    1: async () => {
      await expect(connect('x12_wrong', '2026-07-28')).rejects.toThrow(/401|Authorization: Bearer|[Uu]nauthorized/);
    },
    2: async () => {
      const { models } = (await mcp.tool('list_models', { kind: 'image' })).facts;
      expect(models).toContainEqual(expect.objectContaining({ model: 'local-image', credits: 4 }));
      expect(models.every(({ kind }: { kind: string }) => kind === 'image')).toBe(true);
    },
    3: async () => {
      const { facts } = await mcp.tool('generate_image', { model: 'gpt-image-1', prompt: 'a fox' });
      expect(facts).toMatchObject({ state: 'succeeded', model: 'vendor-image' });
    },
    6: async () => {
      const { persona } = (await reach.call('POST', '/v2/personas', { name: 'Ada' })).body;
      const { pictures } = await mcp.paint({ prompt: 'a style' });
      const photo = pictures[0].url;
      await reach.call('POST', `/v2/personas/${persona.id}/trains`, { photo, slot: 1 });
      const { personas } = (await mcp.tool('list_personas', { words: 'Ada' })).facts;
      const { generation_id: id } = await mcp.paint({ prompt: 'in her style', persona_id: personas[0].persona_id });
      expect((await reach.call('GET', `/v2/generations/${id}`)).body.inputs.style_reference).toBe(photo);
    },
    7: async () => {
      const charged = await reach.charged(async () => {
        const price = await mcp.paint({ prompt: 'a lake', parameters: { ...SMALL, count: 3 }, price_only: true });
        expect(price).toEqual({ model: 'local-image', credits: 12, made: false });
      });
      expect(charged).toBe(0);
    },
    8: async () => {
      const charged = await reach.charged(async () => {
        const { state, credits, pictures } = await mcp.paint({ prompt: 'a lake' });
        expect([state, credits, pictures.length]).toEqual(['succeeded', 4, 1]);
      });
      expect(charged).toBe(4);
      const left = (await mcp.tool('credits_left')).facts;
      expect(left.used + left.available).toBe(left.purchased);
    },
    9: async () => {
      const charged = await reach.charged(async () => {
        const twice = [1, 2].map(() => mcp.paint({ prompt: 'a lake once', request_id: 'lake once' }));
        const [first, second] = await Promise.all(twice);
        const third = await mcp.paint({ prompt: 'a lake once', request_id: 'lake once' });
        const made = [first, second, third].filter(({ generation_id }) => generation_id !== undefined);
        expect(new Set(made.map(({ generation_id }) => generation_id)).size).toBe(1);
        expect(third.pictures).toHaveLength(1);
      });
      expect(charged).toBe(4);
    },
    10: async () => {
      const args = { model: 'vendor-image', prompt: 'a heron that is killed', request_id: 'a heron' };
      const script = `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
        const client = new Client({ name: 'killed', version: '1' });
        const requestInit = { headers: { Authorization: 'Bearer ' + process.env.X12_TOKEN } };
        await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', process.env.X12_URL), { requestInit }));
        await client.callTool({ name: 'generate_image', arguments: ${JSON.stringify(args)} });`;
      const charged = await reach.charged(async () => {
        await reach.killWhileWaiting(process.execPath, ['--input-type=module', '-e', script], args.prompt);
        expect((await mcp.tool('generate_image', args)).facts.pictures).toHaveLength(1);
      });
      expect(charged).toBe(3);
    },
    11: async () => {
      const charged = await reach.charged(async () => {
        const wrong = await mcp.tool('generate_image', { prompt: 'a lake', parameters: { width: 1 } });
        expect(wrong).toMatchObject({ isError: true, facts: { code: 'validation_failed', errors: { width: [/64/] } } });
      });
      expect(charged).toBe(0);
    },
    12: async () => {
      stage.vendor.plan(['moderates']);
      const charged = await reach.charged(async () => {
        const { facts } = await mcp.tool('generate_image', { model: 'vendor-image', prompt: 'a bad fox' });
        expect(facts).toMatchObject({ state: 'failed', credits: 0, error: { code: 'content_rejected' } });
      });
      expect(charged).toBe(0);
    },
    13: async () => {
      const { pictures } = await mcp.paint({ prompt: 'a hill' });
      const { picture_id: picture } = pictures[0];
      const { facts } = await mcp.tool('edit_image', { prompt: 'in oil', picture, parameters: SMALL });
      expect(facts).toMatchObject({ state: 'succeeded', pictures: [{ width: 64 }] });
      const { inputs } = (await reach.call('GET', `/v2/generations/${facts.generation_id}`)).body;
      expect(inputs.image).toBe(pictures[0].url);
    },
    14: async () => {
      const { pictures } = await mcp.paint({ prompt: 'a hill' });
      const parameters = { duration: 2, width: 128, height: 128 };
      const args = { prompt: 'closer', picture: pictures[0].picture_id, parameters };
      const { generation_id } = (await mcp.tool('generate_video', args)).facts;
      const ended = async () => {
        const { facts } = await mcp.tool('wait_for_result', { generation_id });
        return facts.state === 'succeeded' && facts;
      };
      expect((await eventually(ended)).pictures).toMatchObject([{ content_type: 'video/mp4' }]);
    },
    15: async () => {
      const { pictures } = await mcp.paint({ prompt: 'a quagga at noon' });
      const found = (await mcp.tool('find_pictures', { words: 'quagga' })).facts.pictures;
      expect(found).toMatchObject([{ picture_id: pictures[0].picture_id, prompt: 'a quagga at noon' }]);
      const shown = async () => {
        const { isError, content } = await mcp.tool('show_picture', { picture_id: found[0].picture_id });
        return !isError && content;
      };
      const [, image] = await eventually(shown);
      expect(image).toMatchObject({ type: 'image', mimeType: 'image/webp' });
      expect(Buffer.from(image!.data!, 'base64').subarray(8, 12).toString()).toBe('WEBP');
    },
    17: async () => {
      const { pictures } = await mcp.paint({ prompt: 'for a board' });
      const picture_ids = [pictures[0].picture_id];
      const once = { new_board: 'Portraits', picture_ids, request_id: 'portraits' };
      const { board_id, media_ids } = (await mcp.tool('add_to_board', once)).facts;
      expect((await mcp.tool('add_to_board', once)).facts).toEqual({ board_id, media_ids });
      const { boards } = (await mcp.tool('list_boards')).facts;
      expect(boards).toContainEqual({ board_id, name: 'Portraits', pictures: 1 });
      const listed = (await mcp.tool('list_boards', { board_id })).facts.pictures;
      expect(listed.map((each: Facts) => each.media_id)).toEqual(media_ids);
    },
    18: async () => {
      const { pictures } = await mcp.paint({ prompt: 'to share' });
      const to = { new_board: 'To share', picture_ids: [pictures[0].picture_id] };
      const { board_id } = (await mcp.tool('add_to_board', to)).facts;
      const { link } = (await mcp.tool('share_pictures', { board_id, name: 'For you' })).facts;
      expect((await fetch(link)).status).toBe(200);
      const visible = async () => {
        const response = await fetch(`${service.baseUrl}/v2/shared/${link.split('/').at(-1)}`);
        return response.ok && ((await response.json()) as Facts);
      };
      expect((await eventually(visible)).share.name).toBe('For you');
    },
  });

  it.each(REVISIONS)('has twelve tools with descriptions of every argument, in the revision %s', async (revision) => {
    const client = untilTestEnds(await connect(stage.user.token, revision));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_models', 'list_personas', 'generate_image', 'edit_image', 'generate_video', 'wait_for_result'],
      ...['find_pictures', 'show_picture', 'list_boards', 'add_to_board', 'share_pictures', 'credits_left'],
    ]);
    const fields = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties ?? {}));
    const described = ([, field]: [string, unknown]) => (field as { description?: string }).description !== undefined;
    expect(fields.filter((field) => !described(field))).toEqual([]);
    const costing = tools.filter(({ description }) => /credits/.test(description!) && /price_only/.test(description!));
    expect(costing).toHaveLength(3);
    expect(tools.filter(({ annotations }) => annotations?.destructiveHint !== false)).toEqual([]);
    const { facts } = await toolsOf(client)('credits_left');
    expect(facts).toMatchObject({ plan: null, available: expect.any(Number) });
  });

  it('keeps callers apart who call at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => service.signUp()));
    for (const [at, user] of users.entries()) {
      await service.call('POST', '/boards', { token: user.token, json: { name: `Board of ${at}` } });
    }
    const clients = await Promise.all(users.map(({ token }, at) => connect(token, REVISIONS[at % 2]!)));
    const calls = Array.from({ length: 40 }, (_, at) => toolsOf(clients[at % 4]!)('list_boards'));
    const seen = (await Promise.all(calls)).map(({ facts }) => facts.boards.map(({ name }: Facts) => name));
    expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => [`Board of ${at % 4}`]));
    await Promise.all(clients.map((client) => client.close()));
  });

  it('refuses what the token may not do, and pictures of another workspace, as any other call', async () => {
    const { token } = (await reach.call('POST', '/v2/auth/tokens', { name: 'reader', scopes: ['read'] })).body;
    const reader = untilTestEnds(await connect(token, '2025-11-25'));
    const refused = await toolsOf(reader)('generate_image', { prompt: 'a lake' });
    expect(refused).toMatchObject({ isError: true, facts: { code: 'insufficient_scope' } });
    const { pictures } = await mcp.paint({ prompt: 'of mine' });
    const { generation_id } = await mcp.paint({ prompt: 'of mine too' });
    const other = untilTestEnds(await connect((await service.signUp()).token, '2026-07-28'));
    const tool = toolsOf(other);
    const picture = pictures[0].picture_id;
    for (const [name, args] of [
      ['show_picture', { picture_id: picture }],
      ['edit_image', { prompt: 'in oil', picture }],
      ['wait_for_result', { generation_id, seconds: 1 }],
      ['add_to_board', { new_board: 'Mine', picture_ids: [picture] }],
    ] as const) {
      expect([name, await tool(name, args)]).toMatchObject([name, { isError: true, facts: { code: 'not_found' } }]);
    }
  });

  it('refuses pages of other origins, batches, and arguments that a tool does not have', async () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${service.baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${stage.user.token}`,
          ...headers,
        },
        body: JSON.stringify(body),
      });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    /** `fetch` sends no other Host than that of the URL. */
    const statusAt = async (host: string) => {
      const { port } = new URL(service.baseUrl);
      const headers = { host, authorization: `Bearer ${stage.user.token}`, 'content-type': 'application/json' };
      const accepts = { accept: 'application/json, text/event-stream' };
      const sent = request({ port, path: '/mcp', method: 'POST', headers: { ...headers, ...accepts } });
      sent.end(JSON.stringify(list));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect((await post(list)).status).toBe(200);
    expect((await post(list, { origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await post(list, { origin: service.baseUrl })).status).toBe(200);
    expect((await post([list, list])).status).toBe(400);
    expect(await statusAt('evil.example.com')).toBe(403);
    expect(await statusAt('localhost')).toBe(200);
    expect((await mcp.tool('credits_left', { of: 'everybody' })).isError).toBe(true);
  });
});
