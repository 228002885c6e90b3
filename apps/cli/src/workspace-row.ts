import type { DirectoryWorkspace } from '#identity';
import type { Row } from './table.ts';

export function workspaceRow(workspace: DirectoryWorkspace): Row {
  return {
    id: workspace.id,
    owner: workspace.owner,
    is_team: workspace.isTeam,
    plan: workspace.plan,
    members: workspace.members,
    created_at: workspace.createdAt,
  };
}
