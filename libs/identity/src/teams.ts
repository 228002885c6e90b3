import type { AuditLog } from '#audit-log';
import { invalidField, notFound, type Clock, type UnitOfWork } from '#kernel';
import { nameOf } from './domain/name.ts';
import { planOf, requirePlan, type Plans } from './domain/plans.ts';
import type { Directory, DirectoryWorkspace, NewMember, NewTeam, TeamStore } from './ports.ts';

export class Teams {
  constructor(
    private readonly teams: TeamStore,
    private readonly directory: Directory,
    private readonly plans: Plans,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param options.onAnyPlan opens it also on a plan without teams
   * @returns the team's workspace id
   * @throws DomainError `validation_failed` when the plan is not configured, or not a team plan; `in_other_team`; `not_found`;
   * `conflict` for an external id that another workspace has
   */
  async open(team: Omit<NewTeam, 'openedAt'>, { onAnyPlan = false } = {}): Promise<number> {
    const { plan } = team;
    requirePlan(this.plans, plan, { forTeam: !onAnyPlan });
    return this.unitOfWork.run(async () => {
      const id = await this.teams.open({ ...team, openedAt: this.clock.now() });
      await this.auditLog.record({ action: 'team.create', target: id, details: { plan }, workspaceId: id });
      return id;
    });
  }

  /** @throws DomainError `already_member`; `in_other_team`; `not_found` */
  async join(member: Omit<NewMember, 'joinedAt'>): Promise<void> {
    await this.teams.join({ ...member, joinedAt: this.clock.now() });
  }

  /**
   * Changes a workspace, effective from its next request. After a suspension has returned, nothing new is accepted in the
   * workspace: units of work that had begun before are waited for, and what they accepted goes on.
   *
   * @param changes absent properties stay as they are
   * @throws DomainError `not_found`; `validation_failed` for a plan that is not configured, and for a team plan on a
   * personal workspace; `unavailable` when a unit of work takes too long, after the suspension
   */
  async update(
    workspaceId: number,
    { name, plan, suspended }: { readonly name?: string; readonly plan?: string; readonly suspended?: boolean },
  ): Promise<DirectoryWorkspace> {
    if (plan !== undefined) requirePlan(this.plans, plan, { forTeam: false });
    const workspace = await this.directory.workspace(workspaceId);
    if (!workspace) throw notFound('workspace');
    if (plan !== undefined && planOf(this.plans, plan).teams && !workspace.isTeam) {
      throw invalidField('plan', 'is a team plan, and this is a personal workspace: open a team instead');
    }
    const about = { target: workspaceId, workspaceId };
    const changed = {
      ...(name !== undefined && { name: nameOf(name) }),
      ...(plan !== undefined && { plan }),
      ...(suspended !== undefined && { suspendedAt: suspended ? this.clock.now() : null }),
    };
    await this.unitOfWork.run(async () => {
      await this.teams.update(workspaceId, changed);
      if (name !== undefined) {
        await this.auditLog.record({ action: 'workspace.update', details: { fields: ['name'] }, ...about });
      }
      if (plan !== undefined) {
        const details = { from: workspace.plan, to: plan };
        await this.auditLog.record({ action: 'workspace.plan_change', details, ...about });
      }
      if (suspended !== undefined) {
        const action = suspended ? 'workspace.suspend' : 'workspace.resume';
        await this.auditLog.record({ action, details: {}, ...about });
      }
    });
    // Not in the same unit of work: the others would begin without end while it waits.
    if (suspended) await this.unitOfWork.run(() => this.teams.awaitHolders(workspaceId));
    return (await this.directory.workspace(workspaceId)) ?? workspace;
  }
}
