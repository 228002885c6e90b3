import { UserRow } from './identity/user.row.ts';

/** Every table that the ORM writes. */
export const rowSchemas = [UserRow];
