import { invalidField, notFound } from '#kernel';
import { planOf, type Plans } from '../domain/plans.ts';
import type { Directory, DirectoryWorkspace } from '../ports/directory.ts';

/** Puts a workspace on another plan, from its next request on. */
export class ChangePlan {
  readonly #directory: Directory;
  readonly #plans: Plans;

  constructor(directory: Directory, plans: Plans) {
    this.#directory = directory;
    this.#plans = plans;
  }

  /** @throws DomainError `not_found`; `validation_failed` for an unknown plan, or a team plan for somebody's own workspace */
  async run(workspaceId: number, plan: string): Promise<DirectoryWorkspace> {
    const { teams } = planOf(this.#plans, plan);
    const workspace = await this.#directory.workspace(workspaceId);
    if (!workspace) throw notFound('workspace');
    if (teams && !workspace.isTeam) {
      throw invalidField('plan', 'is a team plan, and this is a personal workspace: open a team instead');
    }
    await this.#directory.changePlan(workspaceId, plan);
    return { ...workspace, plan };
  }
}
