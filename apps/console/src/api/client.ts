import { client, X12, X12Error, type X12ErrorCode } from '#client';

// Calls the origin of the page. The session is a cookie that no script can read.
export const x12 = new X12({ client });

/** Calls the listener when a call fails with this code. */
export function whenRefused(code: X12ErrorCode, listener: () => void): void {
  client.interceptors.error.use((error) => {
    if (error instanceof X12Error && error.code === code) listener();
    return error;
  });
}
