import { Download, FolderInput, Images, Share2, Trash2 } from 'lucide-react';
import { sharingWords } from '../../sharing/index.ts';
import { useRole } from '../../shell/index.ts';
import { refusalToDownload, SelectionAction, uiWords } from '../../ui/index.ts';
import { words } from './words.ts';

interface BoardSelectionProps {
  readonly count: number;
  readonly onMove: () => void;
  readonly onPutOnBoard: () => void;
  readonly onDownload: () => void;
  readonly onShare: () => void;
  readonly onDelete: () => void;
}

/** Actions on the selected items of a board. */
export function BoardSelection({ count, ...on }: BoardSelectionProps) {
  const mayShare = useRole('admin');
  return (
    <>
      <SelectionAction icon={FolderInput} label={words.moveTo} keys="M" onClick={on.onMove} />
      <SelectionAction icon={Images} label={words.putOnBoard} keys="B" onClick={on.onPutOnBoard} />
      <SelectionAction
        icon={Download}
        label={uiWords.output.download}
        keys="D"
        refusal={refusalToDownload(count)}
        onClick={on.onDownload}
      />
      {mayShare && <SelectionAction icon={Share2} label={sharingWords.action} onClick={on.onShare} />}
      <SelectionAction icon={Trash2} label={words.delete} keys="Delete" color="red" onClick={on.onDelete} />
    </>
  );
}
