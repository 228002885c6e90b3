import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ModelDto } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { useStore } from '../../state/index.ts';
import { editLink, editModels, objectModel, type Origin } from '../../ui/index.ts';
import { type Action, changed, drawingOf, type Step } from './drawing.ts';
import { extended, frameOf, type Rect, type Sides, type Size } from './geometry.ts';
import { type EditState, KeptEdits } from './kept-edits.ts';
import { planOf } from './outlines.ts';
import { firstBrush, type Tool, TOOLS } from './tools.ts';
import { useFollowed, useRequest } from './use-ask.ts';
import { useObjects } from './use-objects.ts';
import { Viewport } from './viewport.ts';
import { words } from './words.ts';

export interface EditorProps {
  readonly edited: Origin;
  readonly size: Size;
  readonly models: readonly ModelDto[];
}

export type Editing = ReturnType<typeof useEditing>;

/** The editing of a picture: its drawing, the tool, the objects, the request and the result. */
export function useEditing({ edited, size, models }: EditorProps) {
  const state = useEditState(edited.url);
  const { edit, drawing, change } = state;
  const tool = useTool(size);
  const [message, announce] = useState('');
  const navigate = useNavigate();
  const plan = useMemo(() => planOf(drawing, size), [drawing, size]);
  const [viewport] = useState(() => new Viewport(plan.frame));
  useEffect(() => viewport.reframe(plan.frame), [viewport, plan.frame]);
  const objects = useObjects({ edited, by: objectModel(models), marks: drawing.marks, edit, change });
  const result = useResult(edit.generation);
  const { generation, output } = result;
  const request = useRequest({ edited, models, plan, masks: objects.masks, edit });

  const start = async () => {
    const id = await request.send();
    if (id === null) return;
    result.setHidden(0);
    result.setShown(0);
    change({ generation: id });
  };
  const keepChanging = () => {
    if (!output || !generation) return;
    const reference = { generation_id: generation.id, output: output.index };
    void navigate(editLink({ url: output.url, pid: edited.pid, output: reference }));
  };
  return {
    ...state,
    ...tool,
    ...drawingActions({ state, tool, size, viewport, announce }),
    edited,
    size,
    plan,
    viewport,
    objects,
    result,
    request,
    /** The last announcement for screen readers. */
    message,
    tools: TOOLS.filter((each) => isOffered(each, models, objects.by !== null)),
    canDraw: generation === undefined,
    start,
    keepChanging,
  };
}

/** The chosen tool. The eraser erases; lasso, rectangle and objects mark or erase. */
function useTool(size: Size) {
  const [tool, setTool] = useState<Tool>('brush');
  const [erases, setErasing] = useState(false);
  const [brush, setBrush] = useState(() => firstBrush(Math.max(size.width, size.height)));
  const isErasing = tool === 'eraser' || (tool !== 'brush' && erases);
  return { tool, setTool, brush, setBrush, isErasing, setErasing };
}

/** The generation that changes the picture, and which of its outputs is shown how far. */
function useResult(id: number | null) {
  const [hidden, setHidden] = useState(0);
  const [shown, setShown] = useState(0);
  const generation = useFollowed(id);
  const output = generation?.state === 'succeeded' ? generation.outputs[shown] : undefined;
  return { generation, output, shown, hidden, setShown, setHidden };
}

interface ActionsOptions {
  readonly state: ReturnType<typeof useEditState>;
  readonly tool: ReturnType<typeof useTool>;
  readonly size: Size;
  readonly viewport: Viewport;
  readonly announce: (message: string) => void;
}

/** Changes of the drawing. Each is announced to screen readers. */
function drawingActions({ state, tool, size, viewport, announce }: ActionsOptions) {
  const { drawing, act, add } = state;
  const { isErasing } = tool;
  const text = words.announced;
  const announced = (message: string, change: () => void) => () => {
    change();
    announce(message);
  };
  const pull = (part: Partial<Sides>): Sides => {
    const sides = extended(size, drawing.sides, part);
    const frame = frameOf(size, sides);
    add({ kind: 'extend', sides });
    announce(text.extended(frame.width, frame.height));
    return sides;
  };
  return {
    undo: announced(text.undone, () => act({ type: 'undo' })),
    redo: announced(text.redone, () => act({ type: 'redo' })),
    invert: announced(text.inverted, () => add({ kind: 'invert' })),
    clear: announced(text.cleared, () => add({ kind: 'clear' })),
    pull,
    extendTo: (sides: Sides) => {
      viewport.reframe(frameOf(size, pull(sides)));
      viewport.fit();
    },
    markObject: (url: string | undefined, name: string) => {
      if (url === undefined) return announce(words.objects.miss);
      add({ kind: 'object', isErasing, url });
      announce(text.object(name));
    },
    markRectangle: (rect: Rect) => {
      add({ kind: 'rectangle', isErasing, rect });
      announce(isErasing ? text.erased : text.marked);
    },
    chooseTool: (next: Tool) => {
      tool.setTool(next);
      announce(text.tool(words.tools.names[next]));
    },
  };
}

function isOffered(tool: Tool, models: readonly ModelDto[], hasObjects: boolean): boolean {
  const extends_ = editModels(models, 'outpaint').length > 0;
  if (tool === 'extend') return extends_;
  if (tool === 'object' && !hasObjects) return false;
  return extends_ || editModels(models, 'inpaint').length > 0;
}

let keptEdits: KeptEdits | undefined;

function editsOf(owner: string): KeptEdits {
  if (keptEdits?.owner !== owner) keptEdits = new KeptEdits(sessionStorage, owner);
  return keptEdits;
}

/** The state of editing a picture, kept across screens and reloads of this tab. */
function useEditState(url: string) {
  const { user, workspace } = useMe();
  const edits = editsOf(`${user.id}/${workspace.id}`);
  const [edit, setEdit] = useState(() => edits.of(url));
  const isKept = useStore(edits.isKept);
  useEffect(() => {
    if (isUntouched(edit)) edits.forget(url);
    else edits.keep(url, edit);
  }, [edits, url, edit]);
  const change = useCallback((part: Partial<EditState>) => setEdit((before) => ({ ...before, ...part })), []);
  const act = useCallback(
    (action: Action) => setEdit((before) => ({ ...before, history: changed(before.history, action) })),
    [],
  );
  const add = useCallback((step: Step) => act({ type: 'add', step }), [act]);
  const drawing = useMemo(() => drawingOf(edit.history), [edit.history]);
  return { edit, drawing, isKept, change, act, add };
}

function isUntouched({ history, prompt, generation, objects }: EditState): boolean {
  return history.steps.length === 0 && prompt === '' && generation === null && objects === null;
}
