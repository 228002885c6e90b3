import { ActionIcon, Group, Modal, Text, Tooltip } from '@mantine/core';
import { ThumbsUp, X } from 'lucide-react';
import { useMemo } from 'react';
import { type Names, namesWith } from '../shell/index.ts';
import { type Compared, Comparison, Loading, uiWords, useSettings } from '../ui/index.ts';
import { Stars } from './Stars.tsx';
import { type Item, RATINGS } from './item.ts';
import type { Mark } from './use-library.ts';
import { words } from './words.ts';

const text = words.compare;
const BEST = 5;
const LETTERS = 'ABCDEFGHI';

interface CompareItemsProps {
  /** Null while the dialog is closed. */
  readonly ids: readonly number[] | null;
  /** The items that are read so far. */
  readonly items: readonly Item[];
  /** True if items are still read. */
  readonly isReading: boolean;
  readonly names: Names;
  readonly onMark: (ids: readonly number[], mark: Mark) => void;
  /** Called with the ids that are left; null closes the dialog. */
  readonly onChange: (ids: readonly number[] | null) => void;
}

/** Compares items over the whole page: 1 to 5 rate the current item, X takes it out. */
export function CompareItems({ ids, items, isReading, ...rest }: CompareItemsProps) {
  const compared = useMemo(() => (ids ?? []).flatMap((id) => items.find((item) => item.id === id) ?? []), [ids, items]);
  const isReady = compared.length === ids?.length || !isReading;
  return (
    <Modal opened={ids !== null} onClose={() => rest.onChange(null)} title={uiWords.compare.title} fullScreen>
      {ids && !isReady && <Loading rows={2} height={240} />}
      {ids && isReady && compared.length < ids.length && (
        <Text c="dimmed" role="status" mb="sm">
          {text.absent(ids.length - compared.length)}
        </Text>
      )}
      {ids && isReady && compared.length > 0 && <Items items={compared} {...rest} />}
    </Modal>
  );
}

type ItemsProps = Pick<CompareItemsProps, 'items' | 'names' | 'onMark' | 'onChange'>;

function Items({ items, names, onMark, onChange }: ItemsProps) {
  const settings = useSettings(
    items.map(({ generation_id: id }) => id),
    namesWith(names),
  );
  const itemOf = ({ id }: Compared) => items.find((each) => each.id === id)!;
  const rate = (compared: Compared, rating: number) => onMark([itemOf(compared).id], { rating });
  const keep = (compared: Compared) => rate(compared, itemOf(compared).rating === BEST ? 0 : BEST);
  const remove = (compared: Compared) =>
    items.length > 2 && onChange(items.map(({ id }) => id).filter((id) => id !== compared.id));
  return (
    <Comparison
      items={items.map((item, at) => ({ ...item, label: LETTERS[at]! }))}
      settings={settings}
      actions={{
        ...Object.fromEntries(RATINGS.map((rating) => [String(rating), (item: Compared) => rate(item, rating)])),
        x: remove,
      }}
      tools={(compared) => (
        <Group gap={3} wrap="nowrap">
          <Stars
            value={itemOf(compared).rating}
            size="xs"
            aria-label={text.rate(compared.label)}
            onRate={(stars) => rate(compared, stars)}
          />
          <Tooltip label={`${text.keep} (${BEST})`}>
            <ActionIcon
              size={26}
              variant={itemOf(compared).rating === BEST ? 'filled' : 'default'}
              aria-label={text.keepOne(compared.label)}
              aria-pressed={itemOf(compared).rating === BEST}
              onClick={() => keep(compared)}
            >
              <ThumbsUp size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {items.length > 2 && (
            <Tooltip label={`${text.remove} (X)`}>
              <ActionIcon
                size={26}
                variant="subtle"
                color="gray"
                c="var(--mantine-color-text)"
                aria-label={text.removeOne(compared.label)}
                onClick={() => remove(compared)}
              >
                <X size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      )}
    />
  );
}
