/** The columns of `files f` under the names that `StoredFile` has for them. */
export const FILE_COLUMNS = `
  f.id, f.workspace_id as "workspaceId", f.persona_id as "personaId", f.origin, f.key, f.filename, f.size,
  f.content_type as "contentType", f.created_at as "createdAt", f.expires_at as "expiresAt"`;
