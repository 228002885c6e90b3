import { DomainError, notFound } from '#kernel';
import { MAX_DEPTH, refusalOf } from '../domain/folder-tree.ts';
import type { Folders } from '../ports/folders.ts';

/**
 * Makes sure, under the board's lock, that a folder may lie under `parentId`.
 *
 * @throws DomainError `not_found`, `folder_cycle`, `validation_failed` when it would lie too deep
 */
export async function placeFolder(
  folders: Folders,
  boardId: number,
  parentId: number | null,
  folderId: number | null,
): Promise<void> {
  const survey = await folders.survey(boardId, parentId, folderId);
  if ('missing' in survey) throw notFound(survey.missing === 'parent' ? 'parent folder' : 'folder');
  switch (refusalOf({ ...survey, folderId })) {
    case 'folder_cycle':
      throw new DomainError('folder_cycle', 'a folder can not lie in itself: choose another parent_id');
    case 'too_deep':
      throw new DomainError('validation_failed', `folders nest at most ${MAX_DEPTH} deep`, {
        fields: { parent_id: [`must be less deep: folders nest at most ${MAX_DEPTH} deep`] },
      });
    case null:
  }
}
