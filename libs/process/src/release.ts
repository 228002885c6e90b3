import { createRequire } from 'node:module';

/** What runs here. */
export interface Release {
  /** Of package.json. */
  readonly version: string;
  /** Of the sources; `null` where nobody says it. */
  readonly commit: string | null;
}

const { version } = createRequire(import.meta.url)('#package') as { version: string };

/** The commit is in X12_COMMIT: images are built with it, and the npm scripts ask git. */
export const RELEASE: Release = { version, commit: process.env.X12_COMMIT || null };

/** For people: `0.2.0 (1a2b3c4)`. */
export function describeRelease({ version, commit }: Release): string {
  return commit === null ? version : `${version} (${commit})`;
}
