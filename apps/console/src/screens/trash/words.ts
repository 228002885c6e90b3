import { places } from '../../places.ts';

export const words = {
  title: places.trash,
  hint: 'Boards, folders, media, library items and personas that were deleted, with all that was in them.',
  label: 'What was deleted',
  adminsOnly: 'Only admins see the trash',
  adminsOnlyHint: 'Ask an admin of your team to restore what was deleted.',
  empty: 'The trash is empty',
  emptyHint: 'What somebody deletes is kept here for a while, if your operator has not switched that off.',
  columns: { what: 'What', by: 'Deleted by', at: 'Deleted', until: 'Kept until' },
  kinds: { board: 'Board', folder: 'Folder', media: 'Item', item: 'Library', persona: 'Persona' },
  untitled: 'Untitled item',
  andMore: (name: string, more: number) => `${name} and ${more} more`,
  on: (kind: string, board: string) => `${kind} on ${board}`,
  goneBoard: 'a board that is gone',
  actionsOf: (name: string) => `Actions for ${name}`,
  restore: 'Restore',
  restored: (name: string) => `“${name}” is back`,
  notRestored: (name: string) => `“${name}” is not back`,
  erase: 'Delete for good…',
  erasure: (name: string) => ({
    title: `Delete “${name}” for good?`,
    what: 'Nobody can restore it then, and its files are deleted soon after. This can’t be undone.',
    action: 'Delete for good',
    done: `“${name}” is deleted for good`,
  }),
};
