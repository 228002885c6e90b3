import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Settings } from '#config';
import { Accounts, emailOf, Operators, Teams, Tokens, type Directory, type DirectoryUser, type Plans } from '#identity';
import { directory, IdentityModule, PlatformModule, plans, provide } from '#wiring';
import { DEMO_ROLES, readDemo, writeDemo, type Demo, type DemoRole, type DemoUser } from './demo.ts';

/** Adds the parts of the demo that are missing: accounts, the team, tokens. */
class SeedDemo {
  constructor(
    private readonly directory: Directory,
    private readonly accounts: Accounts,
    private readonly teams: Teams,
    private readonly tokens: Tokens,
    private readonly plans: Plans,
    private readonly operators: Pick<Operators, 'appoint'>,
  ) {}

  /** @param earlier tokens in it that still work are kept */
  async run(baseUrl: string, earlier: Demo | null): Promise<Demo> {
    const accounts = {} as Record<DemoRole, DirectoryUser>;
    for (const role of DEMO_ROLES) accounts[role] = await this.#account(role);
    await this.#team(accounts.owner, { admin: accounts.admin, member: accounts.member });
    const tokens = {} as Record<DemoRole, string>;
    const users = {} as Record<DemoRole, DemoUser>;
    for (const role of DEMO_ROLES) {
      const { id, email, name } = accounts[role];
      tokens[role] = await this.#token(id, earlier?.tokens[role]);
      users[role] = { id, email, name };
    }
    return { base_url: baseUrl, tokens, users };
  }

  async #account(role: DemoRole): Promise<DirectoryUser> {
    const email = emailOf(`${role}@demo.example`);
    const known = await this.directory.userByEmail(email);
    if (known) return known;
    await this.accounts.open({ email, name: `Demo ${role}`, passwordHash: null, emailVerified: true });
    // The owner of a machine connects models by the console.
    if (role === 'owner') await this.operators.appoint(email, true);
    return (await this.directory.userByEmail(email))!;
  }

  async #team(owner: DirectoryUser, others: Record<'admin' | 'member', DirectoryUser>): Promise<void> {
    const plan = Object.values(this.plans).findLast(({ teams }) => teams);
    if (!plan) return;
    const workspaceId = owner.isTeam
      ? owner.workspaceId
      : await this.teams.open({ ownerUserId: owner.id, plan: plan.id });
    for (const [role, user] of Object.entries(others) as ['admin' | 'member', DirectoryUser][]) {
      if (!user.isTeam) await this.teams.join({ workspaceId, userId: user.id, role, addedBy: owner.id });
    }
  }

  async #token(userId: number, earlier: string | undefined): Promise<string> {
    const actor = earlier === undefined ? null : await this.tokens.authenticate(earlier);
    if (actor?.userId === userId) return earlier!;
    const { secret } = await this.tokens.create({
      userId,
      name: 'demo',
      expiresInDays: null,
      kind: 'api',
      parent: null,
    });
    return secret;
  }
}

@Module({
  imports: [IdentityModule],
  providers: [provide(SeedDemo, directory, Accounts, Teams, Tokens, plans, Operators)],
})
class DemoModule {}

/** Seeds the demo of `settings` and notes it in its file. */
export async function seedDemo(settings: Settings): Promise<Demo> {
  const module = { module: DemoModule, imports: [PlatformModule.forRoot(settings, 'api')] };
  const app = await NestFactory.createApplicationContext(module, { logger: ['error', 'fatal'], abortOnError: false });
  try {
    const earlier = await readDemo(settings.data.demo);
    const demo = await app.get(SeedDemo).run(settings.http.publicUrl, earlier);
    await writeDemo(settings.data.demo, demo);
    return demo;
  } finally {
    await app.close();
  }
}
