import { expect } from '@jest/globals';
import sharp from 'sharp';
import type { TestRequest, TestResponse } from './call-api.ts';
import { eventually } from './eventually.ts';
import type { TestUser } from './service.ts';
import { uploaded } from './uploaded.ts';
import { prepared, usePictures, useService } from './use-service.ts';

// Importing this file gives a suite a service, a server of pictures, and clients that generate.

/** Inputs that the local models do not take. */
export const NOT_GIVEN = { references: [], mask: null, control: null, pictures: [] };
export const MONTHLY_CREDITS = 48;
const PLANS = JSON.stringify({
  free: { monthly_credits: MONTHLY_CREDITS, teams: false },
  enterprise: { monthly_credits: MONTHLY_CREDITS, teams: true },
});

export const pictures = usePictures();
export const service = useService(() => ({ FETCH_ALLOWED_HOSTS: pictures.host, PLANS }));
export const outsider = prepared(() => service.signUp());

export type Client = Awaited<ReturnType<typeof newClient>>;

/** A new user, whose account has one persona. */
export async function newClient() {
  const user = await service.signUp();
  const get = (path: string) => service.call('GET', path, { token: user.token });
  const post = (path: string, form: TestRequest['form'] = {}) =>
    service.call('POST', path, { token: user.token, form });
  const pid = (await get('/v2/personas')).body.personas[0].id as number;
  const generate = (form: TestRequest['form']) => post('/v2/generate', form);
  /** Credits used this month. */
  const used = async (): Promise<number> => (await get('/v2/credits')).body.credits.used;
  return { user, pid, get, post, generate, used };
}

export const photo = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

export const upload = ({ user, pid }: { user: TestUser; pid?: number }, filename: string, bytes: Buffer) =>
  uploaded(service, user, filename, bytes, pid);

export async function fill(client: Client, slot: number, bytes: Buffer): Promise<string> {
  const photo = await upload(client, `slot-${slot}.jpg`, bytes);
  const { status } = await client.post(`/v2/personas/${client.pid}/trains`, { photo, slot });
  expect(status).toBe(201);
  return photo;
}

/** The generation once it has ended. */
export const ended = (client: Client, id: number): Promise<TestResponse['body']> =>
  eventually(async () => {
    const { body } = await client.get(`/v2/generations/${id}`);
    return body.finished_at !== null && body;
  });

export interface ServerEvent {
  readonly event: string;
  readonly data: TestResponse['body'];
}

/** Follows a generation's events to the end of the stream. */
export async function* follow(client: Client, id: number): AsyncGenerator<ServerEvent> {
  const response = await fetch(`${service.baseUrl}/v2/generations/${id}/events`, {
    headers: { authorization: `Bearer ${client.user.token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let buffered = '';
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop()!;
    for (const block of blocks) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event) yield { event, data: JSON.parse(data!) };
    }
  }
}

export async function allEvents(client: Client, id: number): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of follow(client, id)) events.push(event);
  return events;
}
