import { Group, SegmentedControl, Slider, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type LucideIcon, Maximize, Minus, Pause, Play, Plus } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type Store, useStore } from '../../state/index.ts';
import { IconButton } from '../ActionButton.tsx';
import { number, percent } from '../formats.ts';
import { kindOf, pictureOf } from '../media/viewed-media.ts';
import { type Point, type View, WHOLE } from '../media/zoom.ts';
import { words } from '../words.ts';
import { type Compared, ComparedItem } from './ComparedItem.tsx';
import classes from './Comparison.module.css';
import { CompareSlider } from './CompareSlider.tsx';
import type { Setting } from './settings.ts';
import { SettingsTable } from './SettingsTable.tsx';
import { type Films, useFilms } from './use-films.ts';
import { KEY_FACTOR, useZoom } from './use-zoom.ts';
import { moved, zoomed } from './view.ts';
import { columnsOf, commonRatio, heightOf } from './layout.ts';

const text = words.compare;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** The part of a frame that a key moves the pictures by. */
const KEY_STEP = 0.1;
/** CSS pixels, as in the style sheet. */
const SPACE = { gap: 12, caption: 62 };
const NARROW = 600;

interface ComparisonProps {
  /** Two to nine. */
  readonly items: readonly Compared[];
  /** The values are in the order of the items. */
  readonly settings: readonly Setting[];
  /** The item that keys act on at first. Default: the first one. */
  readonly firstId?: Compared['id'];
  /** Buttons of an item. */
  readonly tools?: (item: Compared) => ReactNode;
  /** Actions of further keys on the current item. */
  readonly actions?: Readonly<Record<string, (item: Compared) => void>>;
  /** Shown for an item without a file. */
  readonly absent?: (item: Compared) => ReactNode;
  /** Further choices beside those of the view. */
  readonly children?: ReactNode;
}

/**
 * Compares items: two pictures on top of each other or side by side, up to nine side by side. Pictures are zoomed and moved
 * in step, videos are played in step.
 */
export function Comparison(props: ComparisonProps) {
  const { items, settings, firstId, tools, actions = {}, absent, children } = props;
  const group = useRef<HTMLDivElement>(null);
  const { ref: inner, width } = useElementSize();
  const { view, handlers } = useZoom(group);
  const films = useFilms(group);
  const [way, setWay] = useState('slider');
  const [currentId, setCurrent] = useState(firstId ?? items[0]!.id);
  const current = items.find(({ id }) => id === currentId) ?? items[0]!;
  const [first, second] = items as readonly [Compared, Compared];
  const canSlide = items.length === 2 && items.every(isPicture);
  const isSliding = canSlide && way === 'slider';
  const hasFilms = items.some((item) => item.url !== null && kindOf(item) === 'video');
  const ratio = commonRatio(items);
  // Zero until it is measured.
  const isNarrow = width > 0 && width < NARROW;
  const size = { width, height: isNarrow ? Infinity : innerHeight - 150, ...SPACE };
  const columns = isNarrow ? 2 : columnsOf(items.length, ratio, size);
  const keys = useComparisonKeys({ items, current, columns, view, films: hasFilms ? films : null, actions });

  return (
    <Stack onKeyDown={keys} gap={16}>
      <Group gap={12} justify="center">
        {canSlide && <ViewChoice value={way} onChange={setWay} />}
        {children}
        <Zoom view={view} />
        {hasFilms && <FilmBar films={films} />}
      </Group>
      <div ref={group} {...handlers} role="group" aria-label={text.items} aria-description={text.keys}>
        {isSliding && <CompareSlider left={first} right={second} />}
        <div
          ref={inner}
          className={classes.group}
          data-captions={isSliding || undefined}
          style={
            {
              '--columns': columns,
              height: isSliding ? undefined : heightOf(items.length, columns, ratio, size),
            } as CSSProperties
          }
        >
          {items.map((item, at) => (
            <ComparedItem
              key={item.id}
              item={item}
              difference={differenceOf(settings, at) || item.name}
              isCurrent={item === current}
              films={films}
              hasFrame={!isSliding}
              onFocus={() => setCurrent(item.id)}
              tools={tools?.(item)}
              absent={absent?.(item)}
            />
          ))}
        </div>
      </div>
      <SettingsTable items={items} settings={settings} />
    </Stack>
  );
}

function ViewChoice({ value, onChange }: { readonly value: string; readonly onChange: (view: string) => void }) {
  return (
    <SegmentedControl
      aria-label={text.view}
      value={value}
      onChange={onChange}
      data={[
        { value: 'slider', label: text.slider },
        { value: 'beside', label: text.beside },
      ]}
    />
  );
}

function isPicture(item: Compared): boolean {
  return item.url !== null && kindOf(item) === 'picture' && pictureOf(item) !== null;
}

/** The values of the settings that differ: `Seed 7 · Model Painter`. */
function differenceOf(settings: readonly Setting[], at: number): string {
  const different = settings.filter(({ isSame }) => !isSame);
  return different.map(({ name, values }) => `${name} ${values[at]}`).join(' · ');
}

interface KeysOptions extends Pick<ComparisonProps, 'items'> {
  readonly current: Compared;
  readonly columns: number;
  readonly view: Store<View>;
  /** Null without videos. */
  readonly films: Films | null;
  readonly actions: Readonly<Record<string, (item: Compared) => void>>;
}

function useComparisonKeys({ items, current, columns, view, films, actions }: KeysOptions) {
  const zoomBy = (factor: number) => () => view.set(zoomed(view.get(), factor));
  const own: Readonly<Record<string, () => void>> = {
    '+': zoomBy(KEY_FACTOR),
    '=': zoomBy(KEY_FACTOR),
    '-': zoomBy(1 / KEY_FACTOR),
    z: () => view.set(WHOLE),
  };
  return (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isTextField(target)) return;
    const arrow = ARROWS[key];
    let act = own[key] ?? (actions[key] && (() => actions[key]!(current)));
    // Fields move by arrows themselves, and buttons are pressed by Space.
    if (arrow && shiftKey) act = () => view.set(moved(view.get(), { x: -arrow.x * KEY_STEP, y: -arrow.y * KEY_STEP }));
    else if (arrow && !isControl(target))
      act = () => focusOn(items[items.indexOf(current) + arrow.x + arrow.y * columns]);
    else if (key === ' ' && films && !isControl(target)) act = films.toggle;
    if (!act) return;
    event.preventDefault();
    act();
  };
}

function focusOn(item: Compared | undefined): void {
  if (item) document.querySelector<HTMLElement>(`[data-item="${CSS.escape(String(item.id))}"]`)?.focus();
}

function isTextField(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('textarea, select, input:not([type=range], [type=radio])') !== null
  );
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('input, button, [role=slider], model-viewer') !== null;
}

function Zoom({ view }: { readonly view: Store<View> }) {
  const { scale } = useStore(view);
  const zoom = (factor: number) => view.set(zoomed(view.get(), factor));
  return (
    <Group gap={4} wrap="nowrap">
      <Tool label={text.zoomOut} keys="−" onClick={() => zoom(1 / KEY_FACTOR)} isOff={scale === 1} icon={Minus} />
      <Text size="sm" w={52} ta="center" role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {percent(scale)}
      </Text>
      <Tool label={text.zoomIn} keys="+" onClick={() => zoom(KEY_FACTOR)} icon={Plus} />
      <Tool label={text.whole} keys="Z" onClick={() => view.set(WHOLE)} isOff={scale === 1} icon={Maximize} />
    </Group>
  );
}

interface ToolProps {
  readonly label: string;
  readonly keys: string;
  readonly icon: LucideIcon;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ label, keys, icon, isOff, onClick }: ToolProps) {
  return (
    <IconButton
      icon={icon}
      iconSize={18}
      label={label}
      tooltip={`${label} (${keys})`}
      variant="default"
      disabled={isOff}
      onClick={onClick}
    />
  );
}

function FilmBar({ films }: { readonly films: Films }) {
  const { isPlaying, time, length, toggle, seek } = films;
  return (
    <Group gap="xs" wrap="nowrap">
      <Tool label={isPlaying ? text.pause : text.play} keys="Space" icon={isPlaying ? Pause : Play} onClick={toggle} />
      <Slider
        w={160}
        styles={{ label: { top: 24 } }}
        max={Math.max(length, 0.1)}
        step={0.04}
        value={time}
        label={(value) => words.tile.seconds(number(value, 1))}
        thumbLabel={text.time}
        onChange={seek}
      />
    </Group>
  );
}
