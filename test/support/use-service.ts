import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { TestRequest } from './call-api.ts';
import { startPictureServer } from './media-server.ts';
import { startService, type TestService } from './service.ts';

interface Ending {
  stop?(): unknown;
  close?(): unknown;
}

const end = async (made: Ending) => void (await (made.stop ? made.stop() : made.close?.()));

/**
 * Shared object of the tests of a file or a `describe`, without a class, which is empty until `make` has filled it
 * before them. After them it is stopped or closed, if it has a method for that.
 */
export function prepared<T extends object>(make: () => Promise<T>): T {
  const target = {} as T;
  beforeAll(async () => {
    Object.defineProperties(target, Object.getOwnPropertyDescriptors(await make()));
  });
  afterAll(() => end(target));
  return target;
}

/** A service for the tests of a file or a `describe`. */
export const useService = (
  env: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) = {},
  options?: Parameters<typeof startService>[1],
): TestService => prepared(() => startService(typeof env === 'function' ? env() : env, options));

export const usePictures = () => prepared(startPictureServer);

/** The path of a file that is there until the tests of the file have ended. */
export function useFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'x12-file-'));
  writeFileSync(join(folder, name), text);
  afterAll(() => rm(folder, { recursive: true }));
  return join(folder, name);
}

/** Stops something when the tests of the file have ended. */
export function untilFileEnds<T extends Ending>(started: T): T {
  afterAll(() => end(started));
  return started;
}

const ofTest: Ending[] = [];
afterEach(async () => {
  for (const each of ofTest.splice(0)) await end(each);
});

/** Stops something when the test ends. */
export function untilTestEnds<T extends Ending>(started: T): T {
  ofTest.push(started);
  return started;
}

/** Bodies of responses to a user, or to another one. */
export const bodiesFor =
  (stage: { readonly service: Pick<TestService, 'call'> }, user: { readonly token: string }) =>
  async (method: string, path: string, json?: object, by = user) =>
    (await stage.service.call(method, path, { token: by.token, json })).body;

/** Calls a service with the token of a user; a request may have another one. */
export const callerOf =
  (service: Pick<TestService, 'call'>, by: { readonly token: string }) =>
  (method: string, path: string, request: TestRequest = {}) =>
    service.call(method, path, { token: by.token, ...request });
