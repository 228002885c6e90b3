import { Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Folder, Images, Search } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type FolderNode, type FolderTree, pathTo, rowsOf } from './folder-tree.ts';
import classes from './MoveDialog.module.css';
import { words } from './words.ts';

interface MoveDialogProps extends TargetsProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
}

interface TargetsProps {
  readonly tree: FolderTree;
  readonly boardName: string;
  readonly accepts: (folderId: number | null) => boolean;
  readonly onMove: (folderId: number | null, name: string) => void;
}

/** Chooses the folder to move items to: the keyboard's way of drag and drop. */
export function MoveDialog({ opened, onClose, title, ...targets }: MoveDialogProps) {
  const onMove: TargetsProps['onMove'] = (folderId, name) => {
    onClose();
    targets.onMove(folderId, name);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Targets {...targets} onMove={onMove} />
    </Modal>
  );
}

function Targets({ tree, boardName, accepts, onMove }: TargetsProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLocaleLowerCase();
  const found = rowsOf(tree, () => true).filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const isRootFound = boardName.toLocaleLowerCase().includes(wanted);
  const choices = [
    ...(isRootFound ? [{ id: null, name: words.root(boardName), depth: 0 }] : []),
    ...found.map((node) => ({ id: node.id, name: node.name, depth: wanted === '' ? node.depth + 1 : 0, node })),
  ];
  const isAny = choices.some(({ id }) => accepts(id));
  return (
    <Stack gap="sm" onKeyDown={leadByArrows}>
      <TextInput
        data-autofocus
        type="search"
        aria-label={words.findFolder}
        placeholder={words.findFolder}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!isAny && <Text c="dimmed">{wanted === '' ? words.noOtherFolder : words.noFolder}</Text>}
      <ul className={classes.targets} aria-label={words.folders}>
        {choices.map(({ id, name, depth, ...rest }) => (
          <li key={id ?? 'root'} style={{ paddingInlineStart: 18 * Math.min(depth, 8) }}>
            <UnstyledButton className={classes.target} disabled={!accepts(id)} onClick={() => onMove(id, name)}>
              {id === null ? <Images size={17} aria-hidden /> : <Folder size={17} aria-hidden />}
              <span className={classes.name} dir="auto">
                {name}
                {wanted !== '' && 'node' in rest && <Path tree={tree} node={rest.node} />}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Path({ tree, node }: { readonly tree: FolderTree; readonly node: FolderNode }) {
  const above = pathTo(tree, node.parent_id).map(({ name }) => name);
  if (above.length === 0) return null;
  return <span className={classes.path}>{above.join(' / ')}</span>;
}

/** Arrow keys move the focus from the field through the folders. */
function leadByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button:not(:disabled)')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  event.preventDefault();
  next?.focus();
}
