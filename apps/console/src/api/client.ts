import { client, X12, X12Error } from '#client';

// The service that this page comes from. The session is a cookie that no script can read.
export const x12 = new X12({ client });

/** Calls the listener when any call finds that the service no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  client.interceptors.error.use((error) => {
    if (error instanceof X12Error && error.code === 'unauthenticated') listener();
    return error;
  });
}
