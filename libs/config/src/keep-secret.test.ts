import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepSecret } from './keep-secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x12-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a kept secret', () => {
  it('stays the same, and only its owner can read it', () => {
    const file = join(folder, 'secrets', 'one');
    const secret = keepSecret(file);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(keepSecret(file)).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(keepSecret(join(folder, 'secrets', 'two'))).not.toBe(secret);
  });

  it('is one secret for processes that make it at the same time', async () => {
    const file = join(folder, 'secrets', 'one');
    const script = `import { keepSecret } from ${JSON.stringify(join(import.meta.dirname, 'keep-secret.ts'))};
      console.log(keepSecret(${JSON.stringify(file)}));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const outputs = await Promise.all(Array.from({ length: 6 }, run));
    expect(new Set(outputs.map(({ stdout }) => stdout.trim())).size).toBe(1);
    expect(readdirSync(join(folder, 'secrets'))).toEqual(['one']);
  });
});
