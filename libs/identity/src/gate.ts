import { DomainError, ROLE_LEVELS, type Clock, type Role } from '#kernel';
import { assertMay, assertPlan } from './domain/permissions.ts';
import type { Plans } from './domain/plans.ts';
import type { Requirements } from './domain/requirements.ts';
import { assertScope } from './domain/scopes.ts';
import { assertActive } from './domain/suspension.ts';
import type { Actor } from './domain/user.ts';
import { assertVerified } from './domain/verification.ts';
import type { TeamStore, TokenStore } from './ports.ts';

/** The operator's settings that the gate decides by. */
export interface GateRules {
  readonly plans: Plans;
  /** True if accounts may do little until their e-mail address is verified. */
  readonly requiresVerifiedEmail: boolean;
}

/**
 * Decides what callers may do, by the scopes of their token, the table `PERMISSIONS`, their plan and e-mail address, and
 * whether their workspace is suspended: when a request begins, in the transaction of its effects, and while a caller
 * follows events. Rules about a target, such as its creator, are checked where the target is locked.
 */
export class Gate {
  constructor(
    private readonly tokens: Pick<TokenStore, 'callers'>,
    private readonly workspaces: Pick<TeamStore, 'holdSuspension'>,
    private readonly rules: GateRules,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides on a request whose caller has just been looked up. The scope is checked first, then the e-mail address, the
   * suspension, the plan, and the role.
   *
   * @param requirements those of the route
   * @throws DomainError `insufficient_scope`, `email_unverified`, `workspace_suspended`, `plan_required`, `forbidden`
   */
  authorize(actor: Actor, { action, scopes, verified = true, changesWorkspace = false }: Requirements): void {
    assertScope(actor.scopes, scopes);
    if (verified && this.rules.requiresVerifiedEmail) assertVerified(actor.emailVerified);
    if (changesWorkspace) assertActive(actor.isSuspended);
    if (!action) return;
    assertPlan(action, actor.plan, this.rules.plans);
    assertMay(action, actor);
  }

  /**
   * Decides again, for the surrounding unit of work: a request may have waited since it began, for its body, a password
   * hash or a connection. It locks no rights, so that requests that change the rights of each other's callers do not
   * deadlock; a change that commits after it counts as later than the effects. A suspension waits for the effects: it is
   * for workspaces that must not be able to spend anything more once it is there.
   *
   * @param before the caller when the request began
   * @throws DomainError `unauthenticated`; `plan_required`; `forbidden` when they act in another workspace, or in a role
   * that does not allow the action or, without an action, is lower than before
   */
  async confirm(before: Actor, requirements: Requirements): Promise<void> {
    const holdsSuspension = requirements.changesWorkspace ?? false;
    const actor = (await this.#now([before], holdsSuspension)).get(before.tokenId);
    if (!actor) throw new DomainError('unauthenticated', 'the API token has ended');
    if (actor.workspaceId !== before.workspaceId) {
      throw new DomainError('forbidden', 'you do not act in this workspace any more');
    }
    this.authorize(actor, requirements);
    if (!requirements.action && ROLE_LEVELS[actor.role] < ROLE_LEVELS[before.role]) {
      throw new DomainError('forbidden', 'your role has just been changed: send the request again');
    }
  }

  /**
   * Returns the callers whose token is still valid in the same workspace, in no lower role: its scopes, checked when the
   * stream began, never change. Takes one round trip.
   */
  async stillActing<Caller extends Pick<Actor, 'tokenId' | 'workspaceId'> & { readonly role?: Role }>(
    callers: readonly Caller[],
  ): Promise<ReadonlySet<Caller>> {
    const now = await this.#now(callers);
    return new Set(
      callers.filter(({ tokenId, workspaceId, role }) => {
        const actor = now.get(tokenId);
        if (actor?.workspaceId !== workspaceId) return false;
        return role === undefined || ROLE_LEVELS[actor.role] >= ROLE_LEVELS[role];
      }),
    );
  }

  /**
   * Decides, in the surrounding unit of work, on an effect in a workspace by somebody who is no member, such as a guest, and
   * on one that only its target makes a change of the workspace.
   *
   * @throws DomainError `workspace_suspended`
   */
  async requireActive(workspaceId: number): Promise<void> {
    assertActive(await this.workspaces.holdSuspension(workspaceId));
  }

  #now(callers: readonly Pick<Actor, 'tokenId'>[], holdsSuspension = false): Promise<ReadonlyMap<number, Actor>> {
    const tokenIds = [...new Set(callers.map(({ tokenId }) => tokenId))];
    return this.tokens.callers(tokenIds, this.clock.now(), { holdsSuspension });
  }
}
