import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Download, FolderInput, FolderPlus, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type WholeBoardDto, x12 } from '../../api/index.ts';
import { type Shared, shareAction } from '../../sharing/index.ts';
import { useDeletionNotice, useRole } from '../../shell/index.ts';
import {
  ActionButton,
  type ActionItem,
  ActionMenu,
  ConfirmDialog,
  downloadZip,
  notifyError,
  uiWords,
} from '../../ui/index.ts';
import { type BoardDialog, BoardDialogs, DeletionSummary } from './BoardDialogs.tsx';
import { MoveDialog, NameDialog } from './dialogs.ts';
import { canMoveInto, type FolderNode, type FolderTree } from './folder-tree.ts';
import type { BoardActions } from './use-board-actions.ts';
import { words } from './words.ts';

interface BoardMenuProps {
  readonly board: WholeBoardDto;
  readonly tree: FolderTree;
  /** The open folder; null at the board's root. */
  readonly folder: FolderNode | null;
  readonly actions: BoardActions;
  readonly onOpen: (folderId: number | null) => void;
  readonly onShare: (shared: Shared) => void;
}

/** The actions for the open folder, or for the board at its root. */
export function BoardMenu(props: BoardMenuProps) {
  const { folder, actions, onOpen } = props;
  const [isCreating, setCreating] = useState(false);
  const create = async (name: string) => {
    const created = await actions.createFolder(name, folder?.id ?? null);
    onOpen(created.id);
  };
  return (
    <>
      <Button variant="default" leftSection={<FolderPlus size={18} aria-hidden />} onClick={() => setCreating(true)}>
        {words.newFolder}
      </Button>
      <NameDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        title={folder ? words.newFolderIn(folder.name) : words.newFolder}
        action={words.createAction}
        placeholder={words.folderPlaceholder}
        onSubmit={create}
      />
      {folder ? <FolderMenu {...props} folder={folder} /> : <RootMenu board={props.board} onShare={props.onShare} />}
    </>
  );
}

function RootMenu({ board, onShare }: Pick<BoardMenuProps, 'board' | 'onShare'>) {
  const mayChange = useRole('admin');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<BoardDialog | null>(null);
  const download = () => void downloadZip({ board_id: board.id }).catch(notifyError);
  if (!mayChange) return <Actions name={board.name} onDownload={download} />;
  return (
    <>
      <Actions
        name={board.name}
        onShare={() => onShare({ board_id: board.id })}
        onDownload={download}
        onRename={() => setDialog('rename')}
        onDelete={() => setDialog('delete')}
      />
      <BoardDialogs
        board={board}
        dialog={dialog}
        onClose={() => setDialog(null)}
        onDeleted={() => navigate({ to: '/boards' })}
      />
    </>
  );
}

function FolderMenu({
  board,
  tree,
  folder,
  actions,
  onOpen,
  onShare,
}: BoardMenuProps & { readonly folder: FolderNode }) {
  const [dialog, setDialog] = useState<BoardDialog | 'move' | null>(null);
  const notifyDeleted = useDeletionNotice();
  const mayShare = useRole('admin');
  const close = () => setDialog(null);
  const remove = async () => {
    await x12.boards.folders.delete({ board_id: board.id, id: folder.id });
    await notifyDeleted(words.deletedFolder(folder.name), 'folder', folder.id);
    onOpen(folder.parent_id);
    await actions.refresh();
  };
  return (
    <>
      <Actions
        name={folder.name}
        onShare={mayShare ? () => onShare({ board_id: board.id, folder_id: folder.id }) : undefined}
        onDownload={() => void downloadZip({ folder_id: folder.id }).catch(notifyError)}
        onRename={() => setDialog('rename')}
        onMove={() => setDialog('move')}
        onDelete={() => setDialog('delete')}
      />
      <NameDialog
        opened={dialog === 'rename'}
        onClose={close}
        title={words.renameFolder}
        action={words.save}
        name={folder.name}
        onSubmit={async (name) => void actions.updateFolder(folder.id, { name })}
      />
      <MoveDialog
        opened={dialog === 'move'}
        onClose={close}
        title={words.moveFolderTitle(folder.name)}
        tree={tree}
        boardName={board.name}
        accepts={(target) => canMoveInto(tree, folder.id, target)}
        onMove={(target, name) => void actions.moveFolder(folder, target, name)}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={words.deleteFolder}
        action={words.delete}
        onConfirm={remove}
      >
        <DeletionSummary question={words.deleteBoardQuestion(folder.name)} {...folder.inside} />
      </ConfirmDialog>
    </>
  );
}

interface ActionsProps {
  readonly name: string;
  /** Absent, as the others, where the caller has no right to it. */
  readonly onShare?: (() => void) | undefined;
  readonly onDownload: () => void;
  readonly onRename?: () => void;
  readonly onMove?: () => void;
  readonly onDelete?: () => void;
}

function Actions({ name, onShare, onDownload, onRename, onMove, onDelete }: ActionsProps) {
  const items: readonly (ActionItem | undefined)[] = [
    { label: uiWords.output.download, icon: Download, onClick: onDownload },
    onRename && { label: words.rename, icon: Pencil, onClick: onRename },
    onMove && { label: words.moveTo, icon: FolderInput, onClick: onMove },
    onDelete && { label: words.delete, icon: Trash2, onClick: onDelete, isDangerous: true },
  ];
  return (
    <>
      {onShare && <ActionButton icon={Share2} label={shareAction.label} variant="default" onClick={onShare} />}
      <ActionMenu label={words.actionsOf(name)} items={items.filter((item) => item !== undefined)} />
    </>
  );
}
