import { Toolbar, Tooltip, UnstyledButton } from '@mantine/core';
import { Contrast, type LucideIcon, Trash2 } from 'lucide-react';
import { TOOL_ICONS, TOOL_KEYS } from './tools.ts';
import classes from './Tools.module.css';
import type { Editing } from './use-editing.ts';
import { words } from './words.ts';

const text = words.tools;

/** The tools of the editor. Arrow keys move among them. */
export function Tools({ editing, isVertical }: { readonly editing: Editing; readonly isVertical: boolean }) {
  const isDisabled = !editing.canDraw;
  const position = isVertical ? 'right' : 'top';
  return (
    <Toolbar
      orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={text.label}
      withBorder={false}
      className={classes.tools}
    >
      {editing.tools.map((each) => (
        <ToolButton
          key={each}
          icon={TOOL_ICONS[each]}
          label={text.names[each]}
          shortcut={TOOL_KEYS[each]}
          position={position}
          isChosen={each === editing.tool}
          isDisabled={isDisabled}
          onClick={() => editing.chooseTool(each)}
        />
      ))}
      <Toolbar.Divider m={4} bg="var(--line)" />
      <ToolButton
        icon={Contrast}
        label={text.invert}
        shortcut="i"
        position={position}
        isDisabled={isDisabled}
        onClick={editing.invert}
      />
      <ToolButton
        icon={Trash2}
        label={text.clear}
        position={position}
        isDisabled={isDisabled || editing.drawing.marks.length === 0}
        onClick={editing.clear}
      />
    </Toolbar>
  );
}

interface ToolButtonProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly shortcut?: string;
  readonly position: 'right' | 'top';
  readonly isChosen?: boolean;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}

function ToolButton({ icon: Icon, label, shortcut, position, isChosen, isDisabled, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={shortcut ? text.withKey(label, shortcut) : label} position={position}>
      <UnstyledButton
        className={classes.tool}
        // For the arrow keys of the toolbar.
        data-toolbar-toggle
        data-disabled={isDisabled || undefined}
        aria-disabled={isDisabled || undefined}
        aria-label={label}
        aria-pressed={isChosen}
        aria-keyshortcuts={shortcut?.toUpperCase()}
        onClick={() => !isDisabled && onClick()}
      >
        <Icon size={20} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}
