import { type ReactNode, useEffect, useRef } from 'react';
import classes from './drawing.module.css';
import type { PadChange } from './DrawingArea.tsx';
import { cancelled, ended, TOOLS, undone } from './lines.ts';
import { COLORS, type Pad, type Stroke } from './strokes.ts';
import { words } from './words.ts';

const ICONS = {
  pen: 'M3 17c4-9 7-12 9-10s-4 8-2 10 6-6 8-5 0 4 3 4',
  arrow: 'M4 20 20 4M10 4h10v10',
  box: 'M4 5h16v14H4Z',
};

interface DrawingToolsProps {
  readonly drawing: readonly Stroke[];
  readonly pad: Pad;
  readonly onChange: PadChange;
  /** Called after the drawing is done or cancelled. */
  readonly onEnd: () => void;
}

/** The tools for a drawing, which is made over the item. */
export function DrawingTools({ drawing, pad, onChange, onEnd }: DrawingToolsProps) {
  const tools = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tools.current?.querySelector('button')?.focus();
    tools.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const end = (part: Parameters<PadChange>[0]) => {
    onChange(part);
    onEnd();
  };
  const choice = (label: string, part: Partial<Pad>, isOn: boolean, content: ReactNode) => (
    <button
      key={label}
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={isOn}
      onClick={() => onChange({ pad: { ...pad, ...part } })}
    >
      {content}
    </button>
  );
  const action = (label: string, act: () => void, isOff = false) => (
    <button type="button" disabled={isOff} onClick={act}>
      {label}
    </button>
  );
  return (
    <div ref={tools} className={classes.tools} role="group" aria-label={words.drawing}>
      {TOOLS.map((tool) => {
        const icon = <path d={ICONS[tool]} />;
        const content = (
          <svg width={20} height={20} viewBox="0 0 24 24" aria-hidden="true">
            {icon}
          </svg>
        );
        return choice(words.tools[tool], { tool }, pad.tool === tool, content);
      })}
      {Object.entries(COLORS).map(([name, color]) => {
        const content = <span className={classes.color} style={{ background: color }} />;
        return choice(words.colors[name as keyof typeof COLORS], { color }, pad.color === color, content);
      })}
      <div className={classes.actions}>
        {action(words.undo, () => onChange(undone(drawing, pad)), drawing.length === 0)}
        {action(words.clear, () => onChange(undone([], pad)), drawing.length === 0)}
        {action(words.cancel, () => end(cancelled(pad)))}
        {action(words.done, () => end(ended(drawing, pad)))}
      </div>
      <p role="status">{pad.isFull ? words.full : words.hint}</p>
    </div>
  );
}
