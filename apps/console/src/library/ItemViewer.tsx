import { useState } from 'react';
import type { Names } from '../shell/index.ts';
import { besideOf, MediaViewer, TaskButtons, useMade, useReadMade, UseAsSlotDialog } from '../ui/index.ts';
import { ItemDetails } from './ItemDetails.tsx';
import { AiBadge } from './provenance/AiBadge.tsx';
import type { LibraryState } from './library-query.ts';
import { StageButtons, useStageActions } from './stage-actions.tsx';
import { type Item, RATINGS } from './item.ts';
import { onOf } from './use-item-keys.ts';
import type { Mark } from './use-library.ts';

interface ItemViewerProps {
  readonly items: readonly Item[];
  readonly openId: number | null;
  readonly names: Names;
  readonly onOpen: (id: number | null) => void;
  readonly onRename: (item: Item, name: string) => void;
  readonly onMark: (ids: readonly number[], mark: Mark) => void;
  readonly onFind: (filter: Partial<LibraryState>) => void;
  readonly onTag: (ids: readonly number[]) => void;
  readonly onPutOnBoard: (ids: readonly number[]) => void;
  readonly onDelete: (id: number) => void;
}

/** The stage: an item over the whole window, with its details and actions. 1 to 5 rate it, 0 takes the rating off. */
export function ItemViewer(props: ItemViewerProps) {
  const { items, openId, names, onOpen, onRename, onMark, onFind, onTag, onPutOnBoard, onDelete } = props;
  const open = items.find(({ id }) => id === openId);
  const made = useMade(open?.generation_id ?? null, open?.url);
  const readMade = useReadMade();
  const whole = async (item: Item) => onOf(item, await readMade(item.generation_id, item.url));
  const [slotUrl, setSlotUrl] = useState<string | null>(null);
  const actions = useStageActions({
    item: open,
    whole,
    onFind,
    onTag: (id) => onTag([id]),
    onPutOnBoard: (id) => onPutOnBoard([id]),
    onSlot: setSlotUrl,
    onDelete: (id) => {
      onOpen(besideOf(items, id));
      onDelete(id);
    },
  });
  const mark = (marks: Mark) => open && onMark([open.id], marks);
  const keys = Object.fromEntries([
    ...RATINGS.map((rating) => [String(rating), () => mark({ rating })]),
    ...actions.flatMap(({ key, run }) => (key === undefined ? [] : [[key, run]])),
  ]) as Record<string, () => void>;
  return (
    <>
      <MediaViewer
        media={items}
        openId={openId}
        origin={whole}
        onOpen={onOpen}
        onRename={onRename}
        keys={keys}
        actions={(item) => item.origin === 'output' && <AiBadge />}
        toolbar={(item) => (
          <>
            <TaskButtons on={onOf(item, made)} whole={() => whole(item)} />
            <StageButtons actions={actions} />
          </>
        )}
        details={(item) => (
          <ItemDetails
            key={item.id}
            item={item}
            generation={made?.generation ?? null}
            names={names}
            onMark={mark}
            onFind={onFind}
          />
        )}
      />
      <UseAsSlotDialog url={slotUrl} personaId={open?.persona_id} onClose={() => setSlotUrl(null)} />
    </>
  );
}
