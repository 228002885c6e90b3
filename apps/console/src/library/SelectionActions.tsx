import { Columns2, Download, Images, Share2, Tags, Trash2 } from 'lucide-react';
import { shareAction } from '../sharing/index.ts';
import { useRole } from '../shell/index.ts';
import { MOST_COMPARED, refusalToDownload, SelectionAction, uiWords } from '../ui/index.ts';
import { Stars } from './Stars.tsx';
import { words } from './words.ts';

type Act = (ids: readonly number[]) => void;

interface SelectionActionsProps {
  readonly ids: readonly number[];
  /** The actions of keys. */
  readonly actions: Readonly<Record<'c' | 't' | 'b' | 'd' | 'Delete', Act>>;
  readonly onRate: (ids: readonly number[], stars: number) => void;
  readonly onShare: Act;
}

/** Actions on the selected items. */
export function SelectionActions({ ids, actions, onRate, onShare }: SelectionActionsProps) {
  const { length: count } = ids;
  const mayShare = useRole('admin');
  const compare = { label: uiWords.compare.title, refusal: refusalToCompare(count) };
  const download = { label: words.download, refusal: refusalToDownload(count) };
  const share = { label: shareAction.label, refusal: shareAction.refusal(count) };
  return (
    <>
      <Stars aria-label={words.rate} onRate={(stars) => onRate(ids, stars)} />
      <SelectionAction icon={Columns2} {...compare} keys="C" onClick={() => actions.c(ids)} />
      <SelectionAction icon={Tags} label={words.tag} keys="T" onClick={() => actions.t(ids)} />
      <SelectionAction icon={Images} label={words.toBoard} keys="B" onClick={() => actions.b(ids)} />
      <SelectionAction icon={Download} {...download} keys="D" onClick={() => actions.d(ids)} />
      {mayShare && <SelectionAction icon={Share2} {...share} onClick={() => onShare(ids)} />}
      <SelectionAction
        icon={Trash2}
        label={words.delete}
        keys="Delete"
        color="red"
        onClick={() => actions.Delete(ids)}
      />
    </>
  );
}

/** Why so many items can't be compared; null if they can. */
export function refusalToCompare(count: number): string | null {
  if (count < 2) return uiWords.compare.needsTwo;
  return count > MOST_COMPARED ? uiWords.compare.tooMany(MOST_COMPARED) : null;
}
