import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Actor, Tokens } from '#identity';

/** Three roles of a team, and somebody outside it on `free`. */
export const DEMO_ROLES = ['owner', 'admin', 'member', 'solo'] as const;
export type DemoRole = (typeof DEMO_ROLES)[number];

export interface DemoUser {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
}

/** The content of `demo.json`. */
export interface Demo {
  readonly base_url: string;
  readonly tokens: Readonly<Record<DemoRole, string>>;
  readonly users: Readonly<Record<DemoRole, DemoUser>>;
}

/** The demo of an earlier start; `null` without a readable one. */
export async function readDemo(file: string): Promise<Demo | null> {
  try {
    const demo = JSON.parse(await readFile(file, 'utf8')) as Demo;
    return DEMO_ROLES.every((role) => demo.tokens[role] && demo.users[role].id) ? demo : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically, readable by its owner only, as it holds tokens. */
export async function writeDemo(file: string, demo: Demo): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}

/** Reports whether every token authenticates its user in the right workspace and role. */
export async function isIntact({ tokens, users }: Demo, service: Pick<Tokens, 'authenticate'>): Promise<boolean> {
  const actors = await Promise.all(DEMO_ROLES.map((role) => service.authenticate(tokens[role])));
  const [owner, admin, member] = actors;
  return (
    actors.every((actor, index) => actor?.userId === users[DEMO_ROLES[index]!].id) &&
    isInTeamOf(owner, admin) &&
    isInTeamOf(owner, member)
  );
}

function isInTeamOf(owner: Actor | null | undefined, actor: Actor | null | undefined): boolean {
  return owner?.isTeam === true && actor?.workspaceId === owner.workspaceId;
}
