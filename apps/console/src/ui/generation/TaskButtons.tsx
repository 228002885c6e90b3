import { Group, Menu, Text } from '@mantine/core';
import { Clapperboard, CopyPlus, Eraser, type LucideIcon, ZoomIn } from 'lucide-react';
import { ActionButton, ActionMenuItem } from '../ActionButton.tsx';
import { Credits } from '../Credits.tsx';
import { words } from '../words.ts';
import type { OneClick } from './task-actions.ts';
import { type ActedOn, useTaskActions } from './use-task-actions.ts';
import classes from './TaskButtons.module.css';

const ICONS: Readonly<Record<OneClick, LucideIcon>> = {
  vary: CopyPlus,
  upscale: ZoomIn,
  remove_background: Eraser,
  animate: Clapperboard,
};

const text = words.tasks;

interface TasksProps {
  readonly on: ActedOn;
  /** Waits for what is not known yet of the picture. */
  readonly whole?: () => Promise<ActedOn>;
}

/** One-click actions on a picture, each with its price. Renders nothing where no model has such a task. */
export function TaskButtons({ on, whole }: TasksProps) {
  const { actions, isStarting, start } = useTaskActions(on, whole);
  if (actions.length === 0) return null;
  return (
    <Group gap={6} align="stretch" role="group" aria-label={text.label}>
      {actions.map((action) => {
        const { task, model, price } = action;
        const Icon = ICONS[task];
        return (
          <ActionButton
            key={task}
            icon={Icon}
            iconSize={15}
            label={text.names[task]}
            size="compact-sm"
            variant="default"
            title={text.by(model.title)}
            disabled={isStarting}
            rightSection={
              <span className={classes.price}>
                <Credits amount={price} />
              </span>
            }
            onClick={() => start(action)}
          />
        );
      })}
    </Group>
  );
}

/** The same as items of a menu. */
export function TaskItems({ on, whole }: TasksProps) {
  const { actions, start } = useTaskActions(on, whole);
  if (actions.length === 0) return null;
  return (
    <>
      {actions.map((action) => {
        const { task, price } = action;
        const Icon = ICONS[task];
        return (
          <ActionMenuItem
            key={task}
            icon={Icon}
            label={text.names[task]}
            rightSection={
              <Text span size="xs" c="dimmed">
                <Credits amount={price} />
              </Text>
            }
            onClick={() => start(action)}
          />
        );
      })}
      <Menu.Divider />
    </>
  );
}
