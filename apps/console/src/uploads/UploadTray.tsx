import { Anchor, Group, Paper, Progress, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Hint, IconButton, percent } from '../ui/index.ts';
import { isActive, isNews, isStuck, totalsOf, type UploadEntry, type UploadTotals } from './entry.ts';
import { UploadRow } from './UploadRow.tsx';
import { useUploads } from './use-uploads.ts';
import classes from './UploadTray.module.css';
import { words } from './words.ts';

const SHOWN = 6;
const SHOWN_AFTER_END_MS = 8000;
/** CSS pixels between the tray and elements that make room for it. */
const GAP = 14;

/** The current uploads, at the edge of every screen except the uploads screen. */
export function UploadTray() {
  const [entries, close] = useNews();
  const totals = totalsOf(entries);
  const { pathname } = useLocation();
  const [isOpen, { toggle }] = useDisclosure(false);
  if (entries.length === 0 || pathname.endsWith('/uploads')) return null;
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <Paper
      ref={measure}
      component="aside"
      aria-label={words.tray}
      className={classes.tray}
      shadow="md"
      data-upload-tray
    >
      <Group wrap="nowrap" gap={6} py={8} ps={16} pe={8}>
        <Text size="sm" fw={600} role="status" flex={1}>
          {summaryOf(totals)}
        </Text>
        {totals.active > 0 && <Hint style={{ fontVariantNumeric: 'tabular-nums' }}>{percent(totals.progress)}</Hint>}
        <IconButton
          icon={Chevron}
          iconSize={18}
          label={isOpen ? words.fold : words.unfold}
          size={32}
          onClick={toggle}
          aria-expanded={isOpen}
        />
        <IconButton icon={X} iconSize={18} label={words.hideTray} size={32} onClick={close} />
      </Group>
      {totals.active > 0 && (
        <Progress size={4} radius={0} value={totals.progress * 100} aria-label={words.progressOfAll} />
      )}
      {isOpen && (
        <>
          <ScrollArea.Autosize mah={320} px="sm" type="auto">
            {mostUrgent(entries).map((entry) => (
              <UploadRow key={entry.id} entry={entry} />
            ))}
          </ScrollArea.Autosize>
          <Anchor component={Link} to="/uploads" size="sm" className={classes.all}>
            {words.showAll(entries.length)}
          </Anchor>
        </>
      )}
    </Paper>
  );
}

function summaryOf({ active, failed, done, count }: UploadTotals): string {
  if (active > 0) return words.underWay(done + 1, count);
  if (failed > 0) return words.needsYou(failed);
  return done < count ? words.allPaused(count - done) : words.allDone(done);
}

/** Failed uploads, then active, then others; newest first. */
function mostUrgent(entries: readonly UploadEntry[]): readonly UploadEntry[] {
  const rank = (entry: UploadEntry) => [isStuck(entry), isActive(entry), true].indexOf(true);
  return entries
    .toReversed()
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, SHOWN);
}

/** The entries that are news, and a function that closes the tray. It closes itself some time after the last is done. */
function useNews(): readonly [readonly UploadEntry[], () => void] {
  const entries = useUploads();
  const [closed, setClosed] = useState<ReadonlyMap<number, boolean>>(new Map());
  const close = () => setClosed(new Map(entries.map((entry) => [entry.id, isStuck(entry)])));
  const news = entries.filter((entry) => isNews(entry, closed));
  const isOver = news.length > 0 && news.every(({ status }) => status === 'done');
  const closeLater = useEffectEvent(close);
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setTimeout(closeLater, SHOWN_AFTER_END_MS);
    return () => clearTimeout(timer);
  }, [isOver, entries]);
  return [news, close];
}

/** Sets `--upload-tray` to the height of the tray, so that elements at the bottom make room for it. */
function measure(tray: HTMLElement | null) {
  if (!tray) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--upload-tray', `${tray.offsetHeight + GAP}px`));
  observer.observe(tray);
  return () => {
    observer.disconnect();
    style.removeProperty('--upload-tray');
  };
}
