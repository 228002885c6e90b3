import { Alert, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Redo2, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { ModelDto } from '../../api/index.ts';
import { useStore } from '../../state/index.ts';
import { editLink, editModels, objectModel, type Origin, percent, useIsPhone } from '../../ui/index.ts';
import { AskForm } from './AskForm.tsx';
import { hasMarks } from './drawing.ts';
import { extended, frameOf, type Sides, type Size } from './geometry.ts';
import { Objects } from './Objects.tsx';
import { planOf } from './outlines.ts';
import { Overlay } from './Overlay.tsx';
import { ResultPanel } from './ResultPanel.tsx';
import classes from './Room.module.css';
import { HeaderButton, RoomHeader } from './RoomHeader.tsx';
import { Stage } from './Stage.tsx';
import { ToolOptions } from './ToolOptions.tsx';
import { Tools } from './Tools.tsx';
import { firstBrush, nextBrush, type Tool, TOOL_KEYS, TOOLS } from './tools.ts';
import { taskOf, useAsk, useFollowed } from './use-ask.ts';
import { useRoomKeys, useStageKeys } from './use-keys.ts';
import { useObjects } from './use-objects.ts';
import { useRoom } from './use-room.ts';
import { Viewport } from './viewport.ts';
import { words } from './words.ts';

interface RoomProps {
  readonly edited: Origin;
  readonly size: Size;
  readonly models: readonly ModelDto[];
}

const ZOOM_STEP = 1.25;

/** Marks a part of a picture, says what should be there, and shows what came of it. */
export function Room({ edited, size, models }: RoomProps) {
  const { url, pid } = edited;
  const { room, drawing, isKept, change, act, add } = useRoom(url);
  const { tool, setTool, brush, setBrush, isErasing, setErasing } = useTool(size);
  const [message, setMessage] = useState('');
  const [hidden, setHidden] = useState(0);
  const [shown, setShown] = useState(0);
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  const plan = useMemo(() => planOf(drawing, size), [drawing, size]);
  const [viewport] = useState(() => new Viewport(plan.frame));
  useEffect(() => viewport.reframe(plan.frame), [viewport, plan.frame]);

  const objects = useObjects({ edited, by: objectModel(models), marks: drawing.marks, room, change });
  const generation = useFollowed(room.generation);
  const output = generation?.state === 'succeeded' ? generation.outputs[shown] : undefined;
  const { sending, error, ask } = useAsk(edited);
  const task = taskOf(plan);
  const fitting = useMemo(() => editModels(models, task), [models, task]);
  const chosen = fitting.find(({ model }) => model.id === room.model) ?? fitting[0];
  const tools = TOOLS.filter((each) => isOffered(each, models, objects.by !== null));

  const undo = () => {
    act({ type: 'undo' });
    setMessage(words.announced.undone);
  };
  const redo = () => {
    act({ type: 'redo' });
    setMessage(words.announced.redone);
  };
  const pull = (part: Partial<Sides>): Sides => {
    const sides = extended(size, drawing.sides, part);
    const frame = frameOf(size, sides);
    add({ kind: 'extend', sides });
    setMessage(words.announced.extended(frame.width, frame.height));
    return sides;
  };
  const extendTo = (sides: Sides) => {
    viewport.reframe(frameOf(size, pull(sides)));
    viewport.fit();
  };
  const mark = (url: string | undefined, name: string) => {
    if (url === undefined) return setMessage(words.objects.miss);
    add({ kind: 'object', isErasing, url });
    setMessage(words.announced.object(name));
  };
  const invert = () => {
    add({ kind: 'invert' });
    setMessage(words.announced.inverted);
  };
  const clear = () => {
    add({ kind: 'clear' });
    setMessage(words.announced.cleared);
  };
  const choose = (next: Tool) => {
    setTool(next);
    setMessage(words.announced.tool(words.tools.names[next]));
  };
  const start = async () => {
    if (!chosen) return;
    const id = await ask({ plan, masks: objects.masks, prompt: room.prompt.trim() }, chosen.model);
    if (id === null) return;
    setHidden(0);
    setShown(0);
    change({ generation: id });
  };
  const back = () => change({ generation: null });
  const keepChanging = () => {
    if (!output || !generation) return;
    const reference = { generation_id: generation.id, output: output.index };
    void navigate(editLink({ url: output.url, pid, output: reference }));
  };
  const canDraw = generation === undefined;
  const longest = Math.max(size.width, size.height);
  const resize = (direction: 1 | -1) => setBrush(nextBrush(brush, direction, longest));
  useRoomKeys({
    '+': () => viewport.zoom(ZOOM_STEP),
    '=': () => viewport.zoom(ZOOM_STEP),
    '-': () => viewport.zoom(1 / ZOOM_STEP),
    '0': () => viewport.fit(),
    ...(canDraw && {
      'ctrl+z': undo,
      'ctrl+shift+z': redo,
      'ctrl+y': redo,
      '[': () => resize(-1),
      ']': () => resize(1),
      i: invert,
      ...Object.fromEntries(tools.map((each) => [TOOL_KEYS[each], () => choose(each)])),
    }),
  });
  const keys = useStageKeys({
    tool: canDraw ? tool : 'brush',
    size,
    sides: drawing.sides,
    viewport,
    onPull: pull,
    onRectangle: (rect) => {
      add({ kind: 'rectangle', isErasing, rect });
      setMessage(isErasing ? words.announced.erased : words.announced.marked);
    },
  });
  const { rectangle } = keys;
  const { x, y } = plan.frame;
  const rectangleText =
    rectangle && words.announced.rectangle(rectangle.x - x, rectangle.y - y, rectangle.width, rectangle.height);

  return (
    <div className={classes.room}>
      <RoomHeader>
        <HeaderButton
          icon={Undo2}
          label={words.undo}
          keys="Ctrl Z"
          isDisabled={!canDraw || room.history.done === 0}
          onClick={undo}
        />
        <HeaderButton
          icon={Redo2}
          label={words.redo}
          keys="Ctrl Shift Z"
          isDisabled={!canDraw || room.history.done === room.history.steps.length}
          onClick={redo}
        />
        <ZoomButtons viewport={viewport} />
      </RoomHeader>
      <div className={classes.stage}>
        <Stage
          url={url}
          viewport={viewport}
          plan={plan}
          masks={objects.masks}
          size={size}
          sides={drawing.sides}
          tool={tool}
          brush={brush}
          isErasing={isErasing}
          isLocked={!canDraw}
          result={output ? { url: output.url, hidden } : null}
          effects={{
            mark: (mark) => add(mark),
            pull,
            choose: (point) => mark(objects.at(point, size), words.tools.names.object),
          }}
          onKeyDown={keys.onKeyDown}
        >
          <Overlay
            viewport={viewport}
            size={size}
            sides={drawing.sides}
            hasHandles={canDraw && tool === 'extend'}
            rectangle={rectangle}
            divider={output ? hidden : null}
          />
        </Stage>
      </div>
      <Tools
        tools={tools}
        tool={tool}
        isVertical={!isPhone}
        canClear={drawing.marks.length > 0}
        isDisabled={!canDraw}
        onTool={choose}
        onInvert={invert}
        onClear={clear}
      />
      <div className={classes.panel}>
        {tools.length === 0 && <Alert title={words.noModels}>{words.noModelsHint}</Alert>}
        {!isKept && <Alert color="yellow">{words.notKept}</Alert>}
        {canDraw && tools.length > 0 && (
          <>
            {tool === 'object' && objects.by && (
              <Objects
                by={objects.by}
                found={objects.found}
                isStarting={objects.isStarting}
                error={objects.error}
                hasFailedMasks={objects.hasFailedMasks}
                onFind={objects.find}
                onChoose={mark}
              />
            )}
            <ToolOptions
              tool={tool}
              size={size}
              brush={brush}
              feather={drawing.feather}
              sides={drawing.sides}
              isErasing={isErasing}
              onBrush={setBrush}
              onFeather={(radius) => add({ kind: 'feather', radius })}
              onErasing={setErasing}
              onSides={extendTo}
            />
            <AskForm
              task={task}
              models={fitting}
              chosen={chosen}
              prompt={room.prompt}
              hasMarks={hasMarks(drawing)}
              sending={sending}
              error={error}
              onPrompt={(prompt) => change({ prompt })}
              onModel={(model) => change({ model })}
              onAsk={() => void start()}
            />
          </>
        )}
        {generation && (
          <ResultPanel
            generation={generation}
            shown={shown}
            hidden={hidden}
            onShow={setShown}
            onHide={setHidden}
            onContinue={keepChanging}
            onBack={back}
          />
        )}
      </div>
      <VisuallyHidden role="status">{rectangleText ?? (output ? words.announced.ready : message)}</VisuallyHidden>
    </div>
  );
}

/** The chosen tool. The eraser erases; lasso, rectangle and objects mark or erase. */
function useTool(size: Size) {
  const [tool, setTool] = useState<Tool>('brush');
  const [erases, setErasing] = useState(false);
  const [brush, setBrush] = useState(() => firstBrush(Math.max(size.width, size.height)));
  const isErasing = tool === 'eraser' || (tool !== 'brush' && erases);
  return { tool, setTool, brush, setBrush, isErasing, setErasing };
}

function isOffered(tool: Tool, models: readonly ModelDto[], hasObjects: boolean): boolean {
  const extends_ = editModels(models, 'outpaint').length > 0;
  if (tool === 'extend') return extends_;
  if (tool === 'object' && !hasObjects) return false;
  return extends_ || editModels(models, 'inpaint').length > 0;
}

function ZoomButtons({ viewport }: { readonly viewport: Viewport }) {
  const { scale } = useStore(viewport.view);
  return (
    <div className={classes.zoom}>
      <HeaderButton icon={ZoomOut} label={words.zoomOut} keys="-" onClick={() => viewport.zoom(1 / ZOOM_STEP)} />
      <UnstyledButton
        className={classes.scale}
        aria-label={words.zoom(percent(scale))}
        title={words.fit}
        onClick={() => viewport.fit()}
      >
        <Text span size="sm" className={classes.number}>
          {percent(scale)}
        </Text>
      </UnstyledButton>
      <HeaderButton icon={ZoomIn} label={words.zoomIn} keys="+" onClick={() => viewport.zoom(ZOOM_STEP)} />
    </div>
  );
}
