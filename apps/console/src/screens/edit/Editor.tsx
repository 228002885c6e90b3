import { Alert, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Redo2, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import { useStore } from '../../state/index.ts';
import { percent, useIsPhone } from '../../ui/index.ts';
import { AskForm } from './AskForm.tsx';
import classes from './Editor.module.css';
import { EditorHeader, HeaderButton } from './EditorHeader.tsx';
import { Objects } from './Objects.tsx';
import { ResultPanel } from './ResultPanel.tsx';
import { Stage } from './Stage.tsx';
import { ToolOptions } from './ToolOptions.tsx';
import { Tools } from './Tools.tsx';
import { nextBrush, TOOL_KEYS } from './tools.ts';
import { type Editing, type EditorProps, useEditing } from './use-editing.ts';
import { useEditorKeys, useStageKeys } from './use-keys.ts';
import type { Viewport } from './viewport.ts';
import { words } from './words.ts';

const ZOOM_STEP = 1.25;

/** Marks a part of a picture, says what should be there, and shows what came of it. */
export function Editor(props: EditorProps) {
  const editing = useEditing(props);
  const { canDraw, tool, size, drawing, plan, viewport, result } = editing;
  const isPhone = useIsPhone();
  useShortcuts(editing);
  const keys = useStageKeys({
    tool: canDraw ? tool : 'brush',
    size,
    sides: drawing.sides,
    viewport,
    onPull: editing.pull,
    onRectangle: editing.markRectangle,
  });
  const { rectangle } = keys;
  const { x, y } = plan.frame;
  const rectangleText =
    rectangle && words.announced.rectangle(rectangle.x - x, rectangle.y - y, rectangle.width, rectangle.height);

  return (
    <div className={classes.editor}>
      <EditorHeader>
        <HistoryButtons editing={editing} />
        <ZoomButtons viewport={viewport} />
      </EditorHeader>
      <div className={classes.stage}>
        <Stage editing={editing} keys={keys} />
      </div>
      <Tools editing={editing} isVertical={!isPhone} />
      <Panel editing={editing} />
      <VisuallyHidden role="status">
        {rectangleText ?? (result.output ? words.announced.ready : editing.message)}
      </VisuallyHidden>
    </div>
  );
}

/** The keys that work wherever the focus is. */
function useShortcuts({ canDraw, viewport, brush, setBrush, size, tools, ...editing }: Editing): void {
  const longest = Math.max(size.width, size.height);
  const resize = (direction: 1 | -1) => setBrush(nextBrush(brush, direction, longest));
  useEditorKeys({
    '+': () => viewport.zoom(ZOOM_STEP),
    '=': () => viewport.zoom(ZOOM_STEP),
    '-': () => viewport.zoom(1 / ZOOM_STEP),
    '0': () => viewport.fit(),
    ...(canDraw && {
      'ctrl+z': editing.undo,
      'ctrl+shift+z': editing.redo,
      'ctrl+y': editing.redo,
      '[': () => resize(-1),
      ']': () => resize(1),
      i: editing.invert,
      ...Object.fromEntries(tools.map((each) => [TOOL_KEYS[each], () => editing.chooseTool(each)])),
    }),
  });
}

function HistoryButtons({ editing: { canDraw, edit, undo, redo } }: { readonly editing: Editing }) {
  const { done, steps } = edit.history;
  return (
    <>
      <HeaderButton icon={Undo2} label={words.undo} keys="Ctrl Z" isDisabled={!canDraw || done === 0} onClick={undo} />
      <HeaderButton
        icon={Redo2}
        label={words.redo}
        keys="Ctrl Shift Z"
        isDisabled={!canDraw || done === steps.length}
        onClick={redo}
      />
    </>
  );
}

function ZoomButtons({ viewport }: { readonly viewport: Viewport }) {
  const { scale } = useStore(viewport.view);
  return (
    <Group wrap="nowrap" gap={0} ms={8}>
      <HeaderButton icon={ZoomOut} label={words.zoomOut} keys="-" onClick={() => viewport.zoom(1 / ZOOM_STEP)} />
      <UnstyledButton
        className={classes.scale}
        aria-label={words.zoom(percent(scale))}
        title={words.fit}
        onClick={() => viewport.fit()}
      >
        <Text span size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percent(scale)}
        </Text>
      </UnstyledButton>
      <HeaderButton icon={ZoomIn} label={words.zoomIn} keys="+" onClick={() => viewport.zoom(ZOOM_STEP)} />
    </Group>
  );
}

/** The options of the tool with the request; then its result. */
function Panel({ editing }: { readonly editing: Editing }) {
  const { tools, tool, isKept, canDraw, objects, result, change } = editing;
  return (
    <div className={classes.panel}>
      {tools.length === 0 && <Alert title={words.noModels}>{words.noModelsHint}</Alert>}
      {!isKept && <Alert color="yellow">{words.notKept}</Alert>}
      {canDraw && tools.length > 0 && (
        <>
          {tool === 'object' && <Objects objects={objects} onChoose={editing.markObject} />}
          <ToolOptions editing={editing} />
          <AskForm editing={editing} />
        </>
      )}
      {result.generation && (
        <ResultPanel
          generation={result.generation}
          shown={result.shown}
          hidden={result.hidden}
          onShow={result.setShown}
          onHide={result.setHidden}
          onContinue={editing.keepChanging}
          onBack={() => change({ generation: null })}
        />
      )}
    </div>
  );
}
