import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Brush } from 'lucide-react';
import { words } from '../words.ts';
import { editLink, useIsEditable } from './edit-link.ts';
import type { ActedOn } from './use-task-actions.ts';

type Edited = Omit<ActedOn, 'prompt'>;

/** Opens the editor of a picture. Renders nothing where no model can edit it. */
export function EditButton({ on }: { readonly on: Edited }) {
  if (!useIsEditable(on.contentType)) return null;
  return (
    <Button
      component={Link}
      {...editLink(on)}
      size="compact-sm"
      variant="default"
      leftSection={<Brush size={15} aria-hidden />}
    >
      {words.edit}
    </Button>
  );
}

/** The same as an item of a menu. */
export function EditItem({ on }: { readonly on: Edited }) {
  if (!useIsEditable(on.contentType)) return null;
  return (
    <Menu.Item component={Link} {...editLink(on)} leftSection={<Brush size={16} aria-hidden />}>
      {words.edit}
    </Menu.Item>
  );
}
