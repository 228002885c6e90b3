import { Columns2, Download, Images, Tags, Trash2 } from 'lucide-react';
import { MOST_COMPARED, refusalToDownload, SelectionAction, uiWords } from '../ui/index.ts';
import { Stars } from './Stars.tsx';
import { words } from './words.ts';

interface SelectionActionsProps {
  readonly count: number;
  readonly onCompare: () => void;
  readonly onRate: (stars: number) => void;
  readonly onTag: () => void;
  readonly onPutOnBoard: () => void;
  readonly onDownload: () => void;
  readonly onDelete: () => void;
}

/** Actions on the selected items. */
export function SelectionActions(props: SelectionActionsProps) {
  const { count, onCompare, onRate, onTag, onPutOnBoard, onDownload, onDelete } = props;
  const refusal = refusalToCompare(count);
  return (
    <>
      <Stars aria-label={words.rate} onRate={onRate} />
      <SelectionAction icon={Columns2} label={uiWords.compare.title} keys="C" refusal={refusal} onClick={onCompare} />
      <SelectionAction icon={Tags} label={words.tag} keys="T" onClick={onTag} />
      <SelectionAction icon={Images} label={words.toBoard} keys="B" onClick={onPutOnBoard} />
      <SelectionAction
        icon={Download}
        label={words.download}
        keys="D"
        refusal={refusalToDownload(count)}
        onClick={onDownload}
      />
      <SelectionAction icon={Trash2} label={words.delete} keys="Delete" color="red" onClick={onDelete} />
    </>
  );
}

/** Why so many items can't be compared; null if they can. */
export function refusalToCompare(count: number): string | null {
  if (count < 2) return uiWords.compare.needsTwo;
  return count > MOST_COMPARED ? uiWords.compare.tooMany(MOST_COMPARED) : null;
}
