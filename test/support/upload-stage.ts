import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect } from '@jest/globals';
import sharp from 'sharp';
import type { TestUser } from './service.ts';
import { prepared, useService } from './use-service.ts';

// Importing this file gives a suite a service, a user with a persona, and ways to upload.

export const MAX_BYTES = 20_000_000;
export const ORIGIN = { origin: 'https://app.example.com' };

const env = { MAX_UPLOAD_BYTES: String(MAX_BYTES), UPLOAD_URL_TTL_SECONDS: '1800', TEMP_FILE_TTL_SECONDS: '7200' };
export const service = useService(env, { worker: false });
export const user = prepared(() => service.signUp());
export const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  .png()
  .toBuffer();
export let personaId: number;
beforeAll(async () => {
  personaId = await makePersona(user);
});

export async function makePersona(by: TestUser, on = service): Promise<number> {
  const { body } = await on.call('POST', '/v2/personas', { token: by.token, form: { name: 'Ada' } });
  return body.persona.id;
}

export interface Ticket {
  readonly upload_id: number;
  readonly signed_url: string;
  readonly final_url: string;
  readonly expires_at: string;
  readonly headers: Record<string, string>;
}

export async function allocate(filename: string, on = service, by = user, pid?: number): Promise<Ticket> {
  const { status, body } = await on.call('POST', '/v2/upload', { token: by.token, form: { filename, pid } });
  expect({ status, body }).toMatchObject({ status: 201, body: { status: true } });
  return body;
}

export async function put(url: string, bytes: Buffer | string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'PUT', body: new Uint8Array(Buffer.from(bytes)), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

export const finalize = (url: string, on = service, by = user) =>
  on.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(url)}`, { token: by.token });

export async function get(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Sends exactly this path, which `fetch` would normalize. */
export function rawRequest(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Starts a PUT to a signed URL with a Content-Length, and sends no bytes. */
export function beginPut(url: string, length: number): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`PUT ${pathOf(url)} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  return socket;
}

export async function storedFiles(on = service, folder = ''): Promise<string[]> {
  const root = join(on.settings.data.files, folder);
  await mkdir(root, { recursive: true });
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

export async function saved(
  filename: string,
  bytes: Buffer | string,
  pid?: number,
  on = service,
  by = user,
): Promise<string> {
  const ticket = await allocate(filename, on, by, pid);
  expect((await put(ticket.signed_url, bytes)).status).toBe(200);
  const { status, body } = await finalize(ticket.final_url, on, by);
  expect({ status, body }).toMatchObject({ status: 200, body: { url: ticket.final_url } });
  return body.url;
}

export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
