import { Tooltip } from '@mantine/core';
import { ArrowLeft, ArrowRight, Download, FolderInput, Images, Share2, Trash2 } from 'lucide-react';
import { shareAction } from '../../sharing/index.ts';
import { useRole } from '../../shell/index.ts';
import {
  allOf,
  IconButton,
  NOTHING,
  refusalToDownload,
  SelectionAction,
  SelectionBar,
  uiWords,
} from '../../ui/index.ts';
import { downloadMedia, type FolderView } from './use-folder-view.ts';
import { words } from './words.ts';

const STEPS = [
  { by: -1, icon: ArrowLeft, label: words.earlier, keys: 'Alt ←' },
  { by: 1, icon: ArrowRight, label: words.later, keys: 'Alt →' },
] as const;

/** Actions on the selected entries of a board. Notes are moved and deleted alone. */
export function BoardSelection({ view }: { readonly view: FolderView }) {
  const { board, entries, selection, select, isByHand, step, askWhere, copy, share, remove } = view;
  const mayShare = useRole('admin');
  const ids = entries.flatMap(({ id }) => (selection.ids.has(id) ? id : []));
  const media = ids.filter((id) => id > 0);
  const { length: count } = media;
  return (
    <SelectionBar
      selection={selection}
      onClear={() => select(NOTHING)}
      onSelectAll={() => select(allOf(entries.map(({ id }) => id)))}
    >
      {isByHand &&
        STEPS.map(({ by, icon, label, keys }) => (
          <Tooltip key={by} label={`${label} (${keys})`}>
            <IconButton icon={icon} label={label} variant="light" size={30} onClick={() => step(ids, by)} />
          </Tooltip>
        ))}
      <SelectionAction icon={FolderInput} label={words.moveTo} keys="M" onClick={() => askWhere(ids)} />
      {count > 0 && (
        <>
          <SelectionAction icon={Images} label={words.putOnBoard} keys="B" onClick={() => copy(media)} />
          <SelectionAction
            icon={Download}
            label={uiWords.output.download}
            keys="D"
            refusal={refusalToDownload(count)}
            onClick={() => downloadMedia(media)}
          />
        </>
      )}
      {count > 0 && mayShare && (
        <SelectionAction
          icon={Share2}
          label={shareAction.label}
          refusal={shareAction.refusal(count)}
          onClick={() => share({ board_id: board.id, media_ids: media })}
        />
      )}
      <SelectionAction icon={Trash2} label={words.delete} keys="Delete" color="red" onClick={() => remove(ids)} />
    </SelectionBar>
  );
}
