import { readFile, rename, writeFile } from 'node:fs/promises';

export const DEMO_USERS = ['owner', 'admin', 'member', 'solo'] as const;
export type DemoUser = (typeof DEMO_USERS)[number];

/** What `demo.json` holds. */
export interface Demo {
  readonly base_url: string;
  readonly tokens: Readonly<Record<DemoUser, string>>;
  readonly users: Readonly<
    Record<DemoUser, { readonly id: number; readonly email: string; readonly name: string }>
  >;
}

/** The demo of an earlier start; `null` when there is none, or none that can be read. */
export async function readDemo(file: string): Promise<Demo | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch {
    return null;
  }
}

/** Writes it whole or not at all, for its owner's eyes only: the tokens open the service. */
export async function writeDemo(file: string, demo: Demo): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}
