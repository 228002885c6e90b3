import { Button, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  Images,
  type LucideIcon,
  Palette,
  RotateCcw,
  ScanSearch,
  Sparkles,
  Tag,
  Trash2,
  UserRound,
} from 'lucide-react';
import { type ActedOn, imageLink, mediaKind, uiWords } from '../ui/index.ts';
import { capitalized } from '../text.ts';
import type { LibraryState } from './library-query.ts';
import type { Item } from './item.ts';
import { words } from './words.ts';

export interface StageAction {
  readonly label: string;
  readonly icon: LucideIcon;
  /** As events name it. */
  readonly key?: string;
  readonly run: () => void;
}

interface ActionsOptions {
  /** Undefined while the stage is closed. */
  readonly item: Item | undefined;
  /** Waits for what the item was made with. */
  readonly whole: (item: Item) => Promise<ActedOn>;
  readonly onFind: (filter: Partial<LibraryState>) => void;
  readonly onTag: (id: number) => void;
  readonly onPutOnBoard: (id: number) => void;
  readonly onSlot: (url: string) => void;
  readonly onDelete: (id: number) => void;
}

/** Actions on the item on the stage, besides the actions of every viewer. */
export function useStageActions({ item, whole, onFind, onTag, onPutOnBoard, onSlot, onDelete }: ActionsOptions) {
  const navigate = useNavigate();
  if (!item) return [];
  const { id, url, content_type, generation_id: from, colors } = item;
  const isPicture = mediaKind(content_type) === 'picture';
  const [color] = colors;
  const use: StageAction = {
    ...{ label: words.settings, icon: RotateCcw, key: 'g' },
    run: () => void navigate({ to: '/generate', search: { from } as never }),
  };
  const useImage: StageAction = {
    ...{ label: uiWords.output.useAsInput, icon: Sparkles, key: from === null ? 'g' : undefined },
    run: () => void whole(item).then((on) => navigate(imageLink(on))),
  };
  const actions: readonly (StageAction | false)[] = [
    from !== null && use,
    isPicture && useImage,
    isPicture && { label: words.toSlot, icon: UserRound, run: () => onSlot(url) },
    { label: words.toBoard, icon: Images, key: 'b', run: () => onPutOnBoard(id) },
    { label: words.tag, icon: Tag, key: 't', run: () => onTag(id) },
    isPicture && { label: words.findLike, icon: ScanSearch, run: () => onFind({ like: id }) },
    color !== undefined && { label: words.sameColors, icon: Palette, run: () => onFind({ color }) },
    { label: words.delete, icon: Trash2, key: 'Delete', run: () => onDelete(id) },
  ];
  return actions.filter((each) => each !== false);
}

export function StageButtons({ actions }: { readonly actions: readonly StageAction[] }) {
  return actions.map(({ label, icon: Icon, key, run }) => (
    <Tooltip key={label} label={`${label} (${capitalized(key ?? '')})`} disabled={key === undefined}>
      <Button size="compact-sm" variant="default" leftSection={<Icon size={15} aria-hidden />} onClick={run}>
        {label}
      </Button>
    </Tooltip>
  ));
}
