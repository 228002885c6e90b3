import {
  emailOf,
  type Accounts,
  type Directory,
  type DirectoryUser,
  type Plans,
  type Teams,
  type Tokens,
} from '#identity';
import { DEMO_ROLES, type Demo, type DemoRole, type DemoUser } from './demo.ts';

/** Makes of the demo what is not there yet: accounts, the team, tokens. */
export class SeedDemo {
  constructor(
    private readonly directory: Directory,
    private readonly accounts: Accounts,
    private readonly teams: Teams,
    private readonly tokens: Tokens,
    private readonly plans: Plans,
  ) {}

  /** @param earlier tokens in it that still work are kept */
  async run(baseUrl: string, earlier: Demo | null): Promise<Demo> {
    const owner = await this.#account('owner');
    const admin = await this.#account('admin');
    const member = await this.#account('member');
    const solo = await this.#account('solo');
    const accounts = { owner, admin, member, solo };
    await this.#team(owner, { admin, member });
    const tokens = {} as Record<DemoRole, string>;
    for (const role of DEMO_ROLES) tokens[role] = await this.#token(accounts[role].id, earlier?.tokens[role]);
    return {
      base_url: baseUrl,
      tokens,
      users: { owner: shown(owner), admin: shown(admin), member: shown(member), solo: shown(solo) },
    };
  }

  async #account(role: DemoRole): Promise<DirectoryUser> {
    const email = emailOf(`${role}@demo.example`);
    const known = await this.directory.userByEmail(email);
    if (known) return known;
    await this.accounts.open({ email, name: `Demo ${role}`, passwordHash: null });
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
    const { secret } = await this.tokens.create({ userId, name: 'demo', expiresInDays: null });
    return secret;
  }
}

function shown({ id, email, name }: DirectoryUser): DemoUser {
  return { id, email, name };
}
