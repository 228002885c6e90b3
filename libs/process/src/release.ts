import { createRequire } from 'node:module';

/** The running version. */
export interface Release {
  /** The version in package.json. */
  readonly version: string;
  /** The commit of the sources; `null` if unknown. */
  readonly commit: string | null;
}

const { version } = createRequire(import.meta.url)('#package') as { version: string };

/** X12_COMMIT is set in images; the npm scripts set it from git. */
export const RELEASE: Release = { version, commit: process.env.X12_COMMIT || null };

/** Such as `0.2.0 (1a2b3c4)`. */
export function describeRelease({ version, commit }: Release): string {
  return commit === null ? version : `${version} (${commit})`;
}
