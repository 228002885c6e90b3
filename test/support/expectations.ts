import { expect } from '@jest/globals';
import type { TestResponse } from './call-api.ts';

/** Expects an error response with exactly these contents. */
export function expectRefusal(
  response: TestResponse,
  status: number,
  code: string,
  field?: string,
  more: Readonly<Record<string, unknown>> = {},
): void {
  expect([response.status, response.body.code]).toEqual([status, code]);
  expect(response.body).toEqual({
    status: false,
    code,
    message: expect.any(String),
    ...(code === 'budget_exceeded' ? { budget: expect.any(String) } : {}),
    request_id: response.headers.get('x-request-id'),
    ...(field === undefined ? {} : { errors: { [field]: [expect.any(String)] } }),
    ...more,
  });
}

/**
 * Reports whether a stored file can't be read any more; a bucket does not reveal to the public which keys are missing.
 */
export async function isGone(url: string): Promise<boolean> {
  const { status } = await fetch(url);
  return status === 404 || status === 403;
}
