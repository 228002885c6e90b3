import { client, X12, X12Error } from '#client';

// Calls the origin of the page. The session is a cookie that no script can read.
export const x12 = new X12({ client });

/** Calls the listener when a call fails because the session has ended. */
export function whenSignedOut(listener: () => void): void {
  client.interceptors.error.use((error) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') listener();
    return error;
  });
}
