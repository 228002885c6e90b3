import type { Manifests } from '../ports.ts';

/** An operator who wants no signatures. */
export const UNSIGNED: Pick<Manifests, 'signs' | 'sign'> = { signs: false, sign: async () => false };
