import { Download, FolderInput, Images, Share2, Trash2 } from 'lucide-react';
import { useRole } from '../../shell/index.ts';
import { refusalToDownload, SelectionAction } from '../../ui/index.ts';
import { words } from '../../words.ts';

const said = words.boards;

interface BoardSelectionProps {
  readonly count: number;
  readonly onMove: () => void;
  readonly onPutOnBoard: () => void;
  readonly onDownload: () => void;
  readonly onShare: () => void;
  readonly onDelete: () => void;
}

/** What can be done with the selected items of a board. */
export function BoardSelection({ count, ...on }: BoardSelectionProps) {
  const mayShare = useRole('admin');
  return (
    <>
      <SelectionAction icon={FolderInput} label={said.moveTo} keys="M" onClick={on.onMove} />
      <SelectionAction icon={Images} label={said.putOnBoard} keys="B" onClick={on.onPutOnBoard} />
      <SelectionAction
        icon={Download}
        label={words.ui.output.download}
        keys="D"
        refusal={refusalToDownload(count)}
        onClick={on.onDownload}
      />
      {mayShare && <SelectionAction icon={Share2} label={words.sharing.action} onClick={on.onShare} />}
      <SelectionAction icon={Trash2} label={said.delete} keys="Delete" color="red" onClick={on.onDelete} />
    </>
  );
}
