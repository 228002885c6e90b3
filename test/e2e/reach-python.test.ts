/** @tier deep, 60 s, about libs/client-python */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { acceptance } from '../support/acceptance.ts';
import { ROOT } from '../support/processes.ts';
import { useReach } from '../support/reach-stage.ts';
import { prepared } from '../support/use-service.ts';

const PACKAGE = join(ROOT, 'libs', 'client-python');
const STEPS = Array.from({ length: 20 }, (_, index) => index + 1);
const { service, stage } = useReach();

/** A POST to it makes the next generation of the vendor fail. */
const failNext = prepared(async () => {
  const server = createServer((_, response) => {
    stage.vendor.plan(['moderates']);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
});

/** Runs tests of the package, for a user with all their credits if they need many; what fails is in the error. */
async function unittest(names: string, { token } = stage.user): Promise<void> {
  const python = spawn('python3', ['-W', 'error::ResourceWarning', '-m', 'unittest', ...names.split(' ')], {
    cwd: PACKAGE,
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      X12_URL: service.baseUrl,
      X12_TOKEN: token,
      X12_PICTURE: stage.picture,
      X12_UNSUPPORTED: stage.unsupported,
      X12_FAIL_NEXT: failNext.url,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const missing = once(python, 'error').then(([error]) => {
    throw new Error(`python3 (3.11 or newer) is missing: ${error.message}`);
  });
  const [output, [code]] = await Promise.race([Promise.all([text(python.stderr), once(python, 'close')]), missing]);
  if (code !== 0) throw new Error(output);
  expect(output).toMatch(/^Ran [1-9]\d* tests? in .*\n\nOK$/m);
}

describe('the Python client', () => {
  acceptance(
    'Python',
    Object.fromEntries(
      STEPS.map((step) => [
        step,
        () => unittest(`tests.test_acceptance.Acceptance.test_${String(step).padStart(2, '0')}`),
      ]),
    ),
  );

  it('keeps its rules against a service that fails', () => unittest('tests.test_client tests.test_webhooks'));

  it('has a README whose examples run', async () => unittest('tests.test_readme', await service.signUp()));

  it('has the steps of the acceptance list', () => unittest('tests.test_acceptance.Table'));

  it('has the version of the TypeScript client', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'libs', 'client', 'package.json'), 'utf8'));
    expect(readFileSync(join(PACKAGE, 'x12', '_version.py'), 'utf8')).toBe(`__version__ = "${version}"\n`);
  });
});
