import type { AuditLog } from '#audit-log';
import { invalidField, notFound, type Clock, type UnitOfWork } from '#kernel';
import { planOf, requirePlan, type Plans } from './domain/plans.ts';
import type { Directory, DirectoryWorkspace, NewMember, TeamStore } from './ports.ts';

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
   * @returns the team's workspace id
   * @throws DomainError `validation_failed` when the plan is not a team plan; `in_other_team`; `not_found`
   */
  async open(team: { readonly ownerUserId: number; readonly plan: string }): Promise<number> {
    requirePlan(this.plans, team.plan, { forTeam: true });
    const { plan } = team;
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
   * Changes the plan of a workspace, effective from its next request.
   *
   * @throws DomainError `not_found`; `validation_failed` for a plan that is not configured, and for a team plan on a
   * personal workspace
   */
  async changePlan(workspaceId: number, plan: string): Promise<DirectoryWorkspace> {
    requirePlan(this.plans, plan, { forTeam: false });
    const workspace = await this.directory.workspace(workspaceId);
    if (!workspace) throw notFound('workspace');
    if (planOf(this.plans, plan).teams && !workspace.isTeam) {
      throw invalidField('plan', 'is a team plan, and this is a personal workspace: open a team instead');
    }
    await this.unitOfWork.run(async () => {
      await this.teams.changePlan(workspaceId, plan);
      const details = { from: workspace.plan, to: plan };
      await this.auditLog.record({ action: 'workspace.plan_change', target: workspaceId, details, workspaceId });
    });
    return { ...workspace, plan };
  }
}
