import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type WholeBoardDto, x12 } from '../../api/index.ts';
import { useDeletionNotice, useRole } from '../../shell/index.ts';
import { ConfirmDialog } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { type BoardDialog, BoardDialogs, DeletionSummary } from './BoardDialogs.tsx';
import { canMoveInto, type FolderNode, type FolderTree } from './folder-tree.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { NameDialog } from './NameDialog.tsx';
import type { BoardActions } from './use-board-actions.ts';

const said = words.boards;

interface BoardMenuProps {
  readonly board: WholeBoardDto;
  readonly tree: FolderTree;
  /** The open folder; null at the board's root. */
  readonly folder: FolderNode | null;
  readonly actions: BoardActions;
  readonly onOpen: (folderId: number | null) => void;
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
        {said.newFolder}
      </Button>
      <NameDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        title={folder ? said.newFolderIn(folder.name) : said.newFolder}
        action={said.createAction}
        placeholder={said.folderPlaceholder}
        onSubmit={create}
      />
      {folder ? <FolderMenu {...props} folder={folder} /> : <RootMenu board={props.board} />}
    </>
  );
}

function RootMenu({ board }: { readonly board: WholeBoardDto }) {
  const mayChange = useRole('admin');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<BoardDialog | null>(null);
  if (!mayChange) return null;
  return (
    <>
      <Actions name={board.name} onRename={() => setDialog('rename')} onDelete={() => setDialog('delete')} />
      <BoardDialogs
        board={board}
        dialog={dialog}
        onClose={() => setDialog(null)}
        onDeleted={() => navigate({ to: '/boards' })}
      />
    </>
  );
}

function FolderMenu({ board, tree, folder, actions, onOpen }: BoardMenuProps & { readonly folder: FolderNode }) {
  const [dialog, setDialog] = useState<BoardDialog | 'move' | null>(null);
  const notifyDeleted = useDeletionNotice();
  const close = () => setDialog(null);
  const remove = async () => {
    await x12.boards.folders.delete({ board_id: board.id, id: folder.id });
    await notifyDeleted(said.deletedFolder(folder.name), 'folder', folder.id);
    onOpen(folder.parent_id);
    await actions.refresh();
  };
  return (
    <>
      <Actions
        name={folder.name}
        onRename={() => setDialog('rename')}
        onMove={() => setDialog('move')}
        onDelete={() => setDialog('delete')}
      />
      <NameDialog
        opened={dialog === 'rename'}
        onClose={close}
        title={said.renameFolder}
        action={said.save}
        name={folder.name}
        onSubmit={async (name) => void actions.updateFolder(folder.id, { name })}
      />
      <MoveDialog
        opened={dialog === 'move'}
        onClose={close}
        title={said.moveFolderTitle(folder.name)}
        tree={tree}
        boardName={board.name}
        accepts={(target) => canMoveInto(tree, folder.id, target)}
        onMove={(target, name) => void actions.moveFolder(folder, target, name)}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={said.deleteFolder}
        action={said.delete}
        onConfirm={remove}
      >
        <DeletionSummary question={said.deleteBoardQuestion(folder.name)} {...folder.inside} />
      </ConfirmDialog>
    </>
  );
}

interface ActionsProps {
  readonly name: string;
  readonly onRename: () => void;
  readonly onMove?: () => void;
  readonly onDelete: () => void;
}

function Actions({ name, onRename, onMove, onDelete }: ActionsProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={said.actionsOf(name)}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={onRename}>
          {said.rename}
        </Menu.Item>
        {onMove && (
          <Menu.Item leftSection={<FolderInput size={16} aria-hidden />} onClick={onMove}>
            {said.moveTo}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
          {said.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
