import { Modal, Stack } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { FormButtons } from '../ui/index.ts';
import { TagsField } from './LibraryFilters.tsx';
import type { Item } from './item.ts';
import type { Mark } from './use-library.ts';
import { words } from './words.ts';

interface TagDialogProps {
  /** Null while the dialog is closed. */
  readonly items: readonly Item[] | null;
  readonly onClose: () => void;
  readonly onMark: (mark: Mark) => void;
}

/** Adds and removes tags of several items. */
export function TagDialog({ items, onClose, onMark }: TagDialogProps) {
  return (
    <Modal opened={items !== null} onClose={onClose} title={words.tagMany(items?.length ?? 0)}>
      {items && <TagForm items={items} onClose={onClose} onMark={onMark} />}
    </Modal>
  );
}

function TagForm({ items, onClose, onMark }: TagDialogProps & { readonly items: readonly Item[] }) {
  const common = items[0]!.tags.filter((tag) => items.every(({ tags }) => tags.includes(tag)));
  const [tags, setTags] = useState<readonly string[]>(common);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onMark({ add: tags.filter((tag) => !common.includes(tag)), remove: common.filter((tag) => !tags.includes(tag)) });
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TagsField tags={tags} description={items.length > 1 ? words.addHint : undefined} hasFocus onChange={setTags} />
        <FormButtons action={words.save} isSending={false} onCancel={onClose} />
      </Stack>
    </form>
  );
}
