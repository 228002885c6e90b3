import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from './eventually.ts';
import { ROOT } from './processes.ts';
import { prepared, useService } from './use-service.ts';
import { startFakeReplicate } from './vendors/replicate.ts';

const ADMIN_TOKEN = 'operators-only-0123456789-abcdefghijk';
const VENDOR_MODEL = {
  kind: 'image',
  tasks: ['generate'],
  provider: 'vendor',
  target: 'owner/name',
  parameters: { seed: { type: 'integer', minimum: 0 } },
  mapping: { prompt: '{prompt}', seed: '{seed}' },
  cost: 3,
  aliases: ['gpt-image-1'],
};

/**
 * A service for the acceptance list, with an account on it: `vendor-image` costs 3 credits, is busy for a second and a half,
 * has the earlier name `gpt-image-1`, and fails when `vendor.plan(['fails'])` says so.
 */
export function useReach(env: Readonly<Record<string, string>> = {}) {
  const service = useService({ ADMIN_TOKEN, SECRET_KEY: randomBytes(32).toString('base64'), ...env });
  const stage = prepared(async () => {
    const vendor = await startFakeReplicate({ workMs: 1500 });
    const put = async (path: string, json: object) =>
      expect((await service.call('PUT', `/admin/api/${path}`, { token: ADMIN_TOKEN, json })).status).toBe(200);
    await put('providers/vendor', { type: 'replicate', base_url: vendor.url, key: 'r8_4f9a2c7d1e8b3a6f' });
    await put('models/vendor-image', { entry: VENDOR_MODEL });
    const user = await service.signUp();
    const folder = await mkdtemp(join(tmpdir(), 'x12-reach-'));
    const picture = join(folder, 'style.png');
    await sharp({ create: { width: 96, height: 64, channels: 3, background: '#2a6' } }).toFile(picture);
    await writeFile(join(folder, 'notes.exe'), 'MZ');
    const stop = () => Promise.all([vendor.close(), rm(folder, { recursive: true })]);
    return { vendor, user, folder, picture, unsupported: join(folder, 'notes.exe'), stop };
  });
  const call = (method: string, path: string, json?: object) =>
    service.call(method, path, { token: stage.user.token, ...(json && { json }) });
  const used = async (): Promise<number> => (await call('GET', '/v2/credits')).body.credits.used;
  return {
    service,
    stage,
    call,
    /** Credits that an action has charged by its end. */
    async charged(action: () => Promise<unknown>): Promise<number> {
      const before = await used();
      await action();
      return (await used()) - before;
    },
    generations: async (): Promise<{ id: number; prompt: string }[]> =>
      (await call('GET', '/v2/generations?limit=200')).body.generations,
    /** Starts a program that runs a generation with the prompt, at X12_URL with X12_TOKEN, and kills it while it waits. */
    async killWhileWaiting(program: string, args: readonly string[], prompt: string): Promise<void> {
      const client = { X12_URL: service.baseUrl, X12_TOKEN: stage.user.token };
      const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...client }, stdio: 'inherit' });
      await eventually(async () => (await call('GET', '/v2/generations?limit=20')).body.generations.some(isOf(prompt)));
      await kill(child);
    },
  };
}

export type Reach = ReturnType<typeof useReach>;

const isOf = (prompt: string) => (generation: { prompt: string }) => generation.prompt === prompt;

async function kill(child: ChildProcess): Promise<void> {
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
