import { Link } from '@tanstack/react-router';
import { Brush } from 'lucide-react';
import { ActionButton, ActionMenuItem } from '../ActionButton.tsx';
import { words } from '../words.ts';
import { editLink, useIsEditable } from './edit-link.ts';
import type { ActedOn } from './use-task-actions.ts';

type Edited = Omit<ActedOn, 'prompt'>;

/** Opens the editor of a picture. Renders nothing where no model can edit it. */
export function EditButton({ on }: { readonly on: Edited }) {
  if (!useIsEditable(on.contentType)) return null;
  return (
    <ActionButton
      component={Link}
      icon={Brush}
      iconSize={15}
      label={words.edit}
      {...editLink(on)}
      size="compact-sm"
      variant="default"
    />
  );
}

/** The same as an item of a menu. */
export function EditItem({ on }: { readonly on: Edited }) {
  if (!useIsEditable(on.contentType)) return null;
  return <ActionMenuItem component={Link} icon={Brush} label={words.edit} {...editLink(on)} />;
}
