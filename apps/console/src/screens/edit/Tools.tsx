import { Toolbar, Tooltip, UnstyledButton } from '@mantine/core';
import { Contrast, type LucideIcon, Trash2 } from 'lucide-react';
import { TOOL_ICONS, TOOL_KEYS, type Tool } from './tools.ts';
import classes from './Tools.module.css';
import { words } from './words.ts';

interface ToolsProps {
  readonly tools: readonly Tool[];
  readonly tool: Tool;
  readonly isVertical: boolean;
  readonly canClear: boolean;
  readonly isDisabled: boolean;
  readonly onTool: (tool: Tool) => void;
  readonly onInvert: () => void;
  readonly onClear: () => void;
}

const text = words.tools;

/** The tools of the room. Arrow keys move among them. */
export function Tools({ tools, tool, isVertical, canClear, isDisabled, onTool, onInvert, onClear }: ToolsProps) {
  const position = isVertical ? 'right' : 'top';
  return (
    <Toolbar
      orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-label={text.label}
      withBorder={false}
      className={classes.tools}
    >
      {tools.map((each) => (
        <ToolButton
          key={each}
          icon={TOOL_ICONS[each]}
          label={text.names[each]}
          shortcut={TOOL_KEYS[each]}
          position={position}
          isChosen={each === tool}
          isDisabled={isDisabled}
          onClick={() => onTool(each)}
        />
      ))}
      <Toolbar.Divider className={classes.divider} />
      <ToolButton
        icon={Contrast}
        label={text.invert}
        shortcut="i"
        position={position}
        isDisabled={isDisabled}
        onClick={onInvert}
      />
      <ToolButton
        icon={Trash2}
        label={text.clear}
        position={position}
        isDisabled={isDisabled || !canClear}
        onClick={onClear}
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
