import { ActionIcon, Group, Modal, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Brush, ChevronLeft, ChevronRight, Download, Info, type LucideIcon, X, ZoomIn } from 'lucide-react';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { addressOf } from '../../file-url.ts';
import { Hint } from '../Hint.tsx';
import { IconButton } from '../ActionButton.tsx';
import { number } from '../formats.ts';
import { editLink, useIsEditable } from '../generation/edit-link.ts';
import type { Origin } from '../generation/task-actions.ts';
import { notifyError } from '../notices.tsx';
import { words } from '../words.ts';
import { EditableName, type EditableNameHandle } from './EditableName.tsx';
import { MediaStage, type VideoControl } from './MediaStage.tsx';
import classes from './MediaViewer.module.css';
import { saveFile } from './save-file.ts';
import { kindOf, stageSource, type ViewedMedia } from './viewed-media.ts';

interface MediaViewerProps<T extends ViewedMedia> {
  /** The items to page through. */
  readonly media: readonly T[];
  /** The id of the open item; null closes the viewer. */
  readonly openId: T['id'] | null;
  /** Called with the id to open, or null to close. Keep it in the URL. */
  readonly onOpen: (id: T['id'] | null) => void;
  /** Gives an item another name. Absent where names can't be changed. */
  readonly onRename?: (media: T, name: string) => void;
  /** Origin of an edited picture. Default: the picture alone. */
  readonly origin?: (media: T) => Omit<Origin, 'url'> | Promise<Omit<Origin, 'url'>>;
  /** Shown beside the item: settings, size, inputs. */
  readonly details?: (media: T) => ReactNode;
  /** Further buttons in the bar above the item. */
  readonly actions?: (media: T) => ReactNode;
  /** A row of further buttons below that bar; it scrolls where it is wider than the window. */
  readonly toolbar?: (media: T) => ReactNode;
  /** Actions of further keys, as events name them. */
  readonly keys?: Readonly<Record<string, () => unknown>>;
  /** Shown for an item without a file. */
  readonly absent?: (media: T) => ReactNode;
  /** Shown over a picture or a video. */
  readonly overlay?: (media: T) => ReactNode;
  readonly video?: VideoControl;
}

/** Shows media of any kind over the whole window. Arrow keys page, Escape closes. */
export function MediaViewer<T extends ViewedMedia>({ media, openId, onOpen, ...rest }: MediaViewerProps<T>) {
  const position = media.findIndex(({ id }) => id === openId);
  const content = useRef<HTMLDivElement>(null);
  const close = () => onOpen(null);
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape' && position >= 0 && isFor(content.current, event)) close();
  });
  return (
    <Modal.Root
      opened={position >= 0}
      onClose={close}
      // A dialog over the viewer would close both.
      closeOnEscape={false}
      fullScreen
      // Dialogs of the viewer stand over it, also those that were there before.
      zIndex={190}
      padding={0}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <Modal.Content ref={content} aria-label={words.viewer.label} bg="var(--ground)">
        <Modal.Body h="100dvh">
          {position >= 0 && <Viewed media={media} position={position} onOpen={onOpen} {...rest} />}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Reports whether a key is for the viewer, and not for a dialog, a menu or a list over it. */
function isFor(viewer: HTMLElement | null, { target, isComposing }: KeyboardEvent): boolean {
  if (isComposing || !(target instanceof Element)) return false;
  if (target.getAttribute('data-mantine-stop-propagation') === 'true') return false;
  return target === document.body || viewer?.contains(target) === true;
}

interface ViewedProps<T extends ViewedMedia> extends Omit<MediaViewerProps<T>, 'openId'> {
  readonly position: number;
}

function Viewed<T extends ViewedMedia>(props: ViewedProps<T>) {
  const { media, position, onOpen, details, toolbar, keys, absent, overlay, video } = props;
  const open = media[position]!;
  const leaf = (by: number) => {
    const next = media[position + by];
    if (next) onOpen(next.id);
  };
  usePreloaded([media[position + 1], media[position - 1]]);
  const { tools, isAside, isZoomed, zoom } = useTools(props, open);
  const frame = useRef<HTMLDivElement>(null);
  const name = useRef<EditableNameHandle>(null);
  useKeys(frame, {
    ArrowLeft: () => leaf(-1),
    ArrowRight: () => leaf(1),
    F2: () => name.current?.edit(),
    ...Object.fromEntries(tools.map(({ keys: name, onClick }) => [name.toLowerCase(), onClick])),
    ...keys,
  });
  return (
    <div className={classes.viewer} ref={frame}>
      <Bar {...props} tools={tools} name={name} />
      {toolbar && <div className={classes.toolbar}>{toolbar(open)}</div>}
      <div className={classes.middle}>
        <div style={{ height: '100%', outline: 'none' }} tabIndex={-1} data-autofocus>
          <MediaStage
            key={open.id}
            media={open}
            absent={absent?.(open)}
            overlay={overlay?.(open)}
            video={video}
            zoomed={isZoomed}
            onZoom={zoom}
          />
        </div>
        <Leaf side="left" isLast={position === 0} onClick={() => leaf(-1)} />
        <Leaf side="right" isLast={position === media.length - 1} onClick={() => leaf(1)} />
      </div>
      {details && isAside && (
        <aside className={classes.aside} aria-label={words.viewer.details} tabIndex={0}>
          {details(open)}
        </aside>
      )}
      <VisuallyHidden role="status">
        {open.name}, {placeOf(props)}
      </VisuallyHidden>
    </div>
  );
}

/** The number of the open item among all. */
function placeOf<T extends ViewedMedia>({ position, media }: ViewedProps<T>): string {
  return words.viewer.of(number(position + 1), number(media.length));
}

interface BarProps<T extends ViewedMedia> extends ViewedProps<T> {
  readonly tools: readonly ToolProps[];
  readonly name: Ref<EditableNameHandle>;
}

function Bar<T extends ViewedMedia>(props: BarProps<T>) {
  const { media, position, onRename, actions, tools, name } = props;
  const open = media[position]!;
  return (
    <div className={classes.bar}>
      <Hint className={classes.count}>{placeOf(props)}</Hint>
      <EditableName
        key={open.id}
        ref={name}
        name={open.name}
        onRename={open.url === null ? undefined : onRename && ((to) => onRename(open, to))}
      />
      <Group gap={4} wrap="nowrap">
        {actions?.(open)}
        {tools.map((tool) => (
          <Tool key={tool.label} {...tool} />
        ))}
      </Group>
    </div>
  );
}

const alone = () => ({ pid: null, output: null });

interface ToolProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onClick: () => unknown;
  readonly isOn?: boolean;
  /** The key that does the same. */
  readonly keys: string;
}

/** Tools that every viewer offers for the open item, and their state in the viewer. */
function useTools<T extends ViewedMedia>(props: ViewedProps<T>, open: T) {
  const { origin = alone, details, onOpen } = props;
  const texts = words.viewer;
  const { id, url } = open;
  const [isAside, aside] = useDisclosure(matchMedia('(min-width: 801px)').matches);
  const [zoomedId, setZoomed] = useState<T['id'] | null>(null);
  const isZoomed = zoomedId === id;
  const isZoomable = url !== null && kindOf(open) === 'picture' && (open.width ?? 0) > 0;
  const zoom = isZoomable ? () => setZoomed(isZoomed ? null : id) : undefined;
  const navigate = useNavigate();
  const isEditable = useIsEditable(open.content_type);
  const edit = async (of: string) => navigate(editLink({ ...(await origin(open)), url: of }));
  const save = (of: string) => void saveFile(of, open.name).catch(notifyError);
  const tools: readonly (ToolProps | false | undefined)[] = [
    isEditable && url !== null && { icon: Brush, label: words.edit, keys: 'E', onClick: () => edit(url) },
    zoom && { icon: ZoomIn, label: texts.actualSize, keys: 'Z', isOn: isZoomed, onClick: zoom },
    url !== null && { icon: Download, label: texts.download, keys: 'D', onClick: () => save(url) },
    details && { icon: Info, label: texts.details, keys: 'I', isOn: isAside, onClick: aside.toggle },
    { icon: X, label: words.close, keys: 'Esc', onClick: () => onOpen(null) },
  ];
  return { tools: tools.filter((tool) => tool !== false && tool !== undefined), isAside, isZoomed, zoom };
}

/** The keys of the window: after a dialog over the viewer the focus is nowhere for a moment. */
function useKeys(frame: RefObject<HTMLElement | null>, actOn: Readonly<Record<string, () => unknown>>): void {
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isFor(frame.current, event) || takesKey(event)) return;
    if (!actOn[event.key]) return;
    event.preventDefault();
    actOn[event.key]!();
  });
}

function Tool({ icon: Icon, label, onClick, isOn, keys }: ToolProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <IconButton
        icon={Icon}
        iconSize={19}
        label={label}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? undefined : 'gray'}
        c={isOn ? undefined : 'var(--mantine-color-text)'}
        aria-pressed={isOn}
        onClick={() => onClick()}
      />
    </Tooltip>
  );
}

const LEAVES = {
  left: { icon: ChevronLeft, label: words.viewer.previous },
  right: { icon: ChevronRight, label: words.viewer.next },
};

interface LeafProps {
  readonly side: keyof typeof LEAVES;
  readonly isLast: boolean;
  readonly onClick: () => void;
}

function Leaf({ side, isLast, onClick }: LeafProps) {
  const { icon: Icon, label } = LEAVES[side];
  return (
    <ActionIcon
      className={classes.leaf}
      data-side={side}
      variant="default"
      radius="xl"
      size={44}
      aria-label={label}
      disabled={isLast}
      onClick={onClick}
    >
      <Icon aria-hidden />
    </ActionIcon>
  );
}

/** Reports whether the element handles the key itself: videos, 3D models and fields. */
function takesKey({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input:is([type=radio], [type=checkbox])')) return /^(Arrow.*| )$/.test(key);
  return target.closest('video, model-viewer, input, textarea, select') !== null;
}

/** Preloads the pictures on both sides into the browser's cache. */
function usePreloaded(neighbours: readonly (ViewedMedia | undefined)[]): void {
  const urls = neighbours.map((each) => {
    const source = each && kindOf(each) === 'picture' ? stageSource(each) : null;
    return source && addressOf(source);
  });
  const key = urls.join(' ');
  useEffect(() => {
    const pictures = key.split(' ').filter(Boolean);
    const timer = setTimeout(() => pictures.forEach((src) => Object.assign(new Image(), { src })), 250);
    return () => clearTimeout(timer);
  }, [key]);
}
