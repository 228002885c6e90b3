import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
