import { expect } from '@jest/globals';
import type { TestAnswer } from './service.ts';

/** Expects an error response with exactly these contents. */
export function expectRefusal(
  answer: TestAnswer,
  status: number,
  code: string,
  field?: string,
  more: Readonly<Record<string, unknown>> = {},
): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body).toEqual({
    status: false,
    code,
    message: expect.any(String),
    request_id: answer.headers.get('x-request-id'),
    ...(field === undefined ? {} : { errors: { [field]: [expect.any(String)] } }),
    ...more,
  });
}

/** Probes until the result is truthy. */
export async function eventually<T>(probe: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let waited = 0; waited < 25_000; waited += 50) {
    const found = await probe();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen within 25 s');
}
