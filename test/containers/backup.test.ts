/** @tier deep, 20 s, about apps/cli */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { loadS3 } from '#adapters/storage';
import { runCommand } from '../support/command-line.ts';
import { createBucket, type TestBucket, useGatewayCredentials } from '../support/s3-bucket.ts';
import { startService, type TestService } from '../support/service.ts';
const before = { ...process.env };
const OTHER = 'restored_from_a_backup';

let folder: string;
let bucket: TestBucket;
let service: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  useGatewayCredentials();
  folder = await mkdtemp(join(tmpdir(), 'x12-backup-'));
  bucket = await newBucket();
  // Without a worker: it would store thumbnails of the uploads meanwhile, which a backup counts.
  service = await startService(bucket.env, { worker: false });
  env = { ...bucket.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: service.database.url };
});
afterAll(async () => {
  await service.stop();
  await bucket.drop();
  await rm(folder, { recursive: true });
  process.env = before;
});

async function newBucket(): Promise<TestBucket> {
  const made = await createBucket();
  const { setUpBucket } = await loadS3();
  await setUpBucket(made.options, 1);
  return made;
}

const backup = (...args: string[]) => runCommand(env, 'backup', ...args, '--json');

async function create(): Promise<{ name: string; objects: number; missing: number }> {
  const { out, complaints, code } = await backup('create', '--verify', '--keep', '2');
  expect([code, complaints]).toEqual([0, '']);
  return JSON.parse(out);
}

/** Uploads a picture. @returns its URL */
async function save(token: string, filename: string): Promise<string> {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const { body } = await service.call('POST', '/v2/upload', { token, form: { filename } });
  await fetch(body.signed_url, { method: 'PUT', headers: body.headers, body: new Uint8Array(bytes) });
  const saved = await service.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(body.final_url)}`, { token });
  expect(saved.status).toBe(200);
  return body.final_url as string;
}

/** How many names the bytes of the objects of a backup have. */
async function linksOf(name: string): Promise<number[]> {
  const files = join(`${env.DATA_DIR}-backups`, name, 'files');
  const entries = await readdir(files, { recursive: true, withFileTypes: true });
  const blobs = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.json'));
  return Promise.all(blobs.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).nlink));
}

describe('a backup of a database and a bucket', () => {
  it('has all rows and objects, reads no object twice, and fills an empty database and another bucket', async () => {
    const { token, id } = await service.signUp();
    const url = await save(token, 'first.png');
    const first = await create();
    expect(first).toMatchObject({ objects: 1, missing: 0 });
    expect(await linksOf(first.name)).toEqual([1]);

    await save(token, 'second.png');
    const second = await create();
    expect(second).toMatchObject({ objects: 2, missing: 0 });
    expect((await linksOf(second.name)).sort()).toEqual([1, 2]);

    const refused = await backup('restore', second.name);
    expect([refused.code, JSON.parse(refused.complaints).message]).toEqual([
      1,
      expect.stringContaining('the database has tables: give an empty one'),
    ]);

    const other = await newBucket();
    const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
    await admin.connect();
    await admin.query(`create database ${OTHER} template template0`);
    const empty = new URL(process.env.TEST_POSTGRES_URL!);
    empty.pathname = `/${OTHER}`;
    const restored = new pg.Client({ connectionString: empty.href });
    try {
      const settings = { ...env, ...other.env, DATABASE_URL: empty.href };
      const { code, out, complaints } = await runCommand(settings, 'backup', 'restore', second.name, '--json');
      expect([code, complaints]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ objects: 2, findings: [] });
      await restored.connect();
      const { rows } = await restored.query('select id from users where id = $1', [id]);
      expect(rows).toHaveLength(1);
      const shown = await fetch(url.replace(bucket.options.bucket, other.options.bucket));
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 64, height: 48 });
    } finally {
      await restored.end();
      await admin.query(`drop database ${OTHER} with (force)`);
      await admin.end();
      await other.drop();
    }
  });
});
