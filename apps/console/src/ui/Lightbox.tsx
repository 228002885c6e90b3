import { ActionIcon, Group, Modal, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import classes from './Lightbox.module.css';
import type { StoredMedia } from './media.ts';
import { MediaView } from './MediaView.tsx';

interface LightboxProps<T extends StoredMedia> {
  readonly items: readonly T[];
  /** Which one is shown; null while it is closed. */
  readonly index: number | null;
  readonly onIndex: (index: number | null) => void;
  readonly title: string;
  readonly altOf: (item: T) => string;
  /** Beside the media: what it is and what can be done with it. */
  readonly children?: (item: T) => ReactNode;
}

/** Media over the whole page, one at a time; arrow keys lead to the others. */
export function Lightbox<T extends StoredMedia>({ items, index, onIndex, title, altOf, children }: LightboxProps<T>) {
  const item = index === null ? undefined : items[index];
  const close = () => onIndex(null);
  return (
    <Modal.Root opened={item !== undefined} onClose={close} fullScreen padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        {item && (
          <Modal.Body className={classes.body}>
            <Bar item={item} at={`${index! + 1} / ${items.length}`} title={title} onClose={close} />
            <div className={classes.stage}>
              <MediaView media={item} alt={altOf(item)} />
              {items.length > 1 && <Steps index={index!} count={items.length} onIndex={onIndex} />}
            </div>
            {children && <aside className={classes.side}>{children(item)}</aside>}
          </Modal.Body>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

interface BarProps {
  readonly item: StoredMedia;
  readonly at: string;
  readonly title: string;
  readonly onClose: () => void;
}

function Bar({ item, at, title, onClose }: BarProps) {
  return (
    <Group className={classes.bar} justify="space-between" wrap="nowrap">
      <Text fw={600} truncate dir="auto">
        {title}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed" visibleFrom="xs">
          {at}
        </Text>
        <ActionIcon
          component="a"
          href={item.url}
          download
          target="_blank"
          rel="noreferrer"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.ui.media.download}
        >
          <Download size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.ui.close}
          onClick={onClose}
          data-autofocus
        >
          <X size={20} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}

interface StepsProps {
  readonly index: number;
  readonly count: number;
  readonly onIndex: (index: number) => void;
}

function Steps({ index, count, onIndex }: StepsProps) {
  const previous = () => onIndex((index + count - 1) % count);
  const next = () => onIndex((index + 1) % count);
  useHotkeys([
    ['ArrowLeft', previous],
    ['ArrowRight', next],
  ]);
  return (
    <>
      <ActionIcon
        className={classes.previous}
        variant="default"
        radius="xl"
        size="xl"
        aria-label={words.ui.media.previous}
        onClick={previous}
      >
        <ChevronLeft aria-hidden />
      </ActionIcon>
      <ActionIcon
        className={classes.next}
        variant="default"
        radius="xl"
        size="xl"
        aria-label={words.ui.media.next}
        onClick={next}
      >
        <ChevronRight aria-hidden />
      </ActionIcon>
    </>
  );
}
