import type { X12Error } from './x12-error.ts';

export * from './generated/@tanstack/react-query.gen.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** The error of queries and mutations. */
    defaultError: X12Error;
  }
}
