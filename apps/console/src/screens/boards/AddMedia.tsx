import { Button, Menu } from '@mantine/core';
import { ChevronDown, Images, Plus, StickyNote, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { ActionMenuItem, MediaPicker } from '../../ui/index.ts';
import type { FolderView } from './use-folder-view.ts';
import { words } from './words.ts';

/** Maximum items chosen at once. */
const MOST = 50;

interface AddMediaProps {
  readonly view: FolderView;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Adds to the open folder: files of this device, stored media, media at an address, or a note. */
export function AddMedia({ view: { actions, folderId, addNote }, onFiles }: AddMediaProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isPicking, setPicking] = useState(false);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button leftSection={<Plus size={18} aria-hidden />} rightSection={<ChevronDown size={16} aria-hidden />}>
            {words.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem icon={Upload} label={words.addFiles} onClick={() => input.current?.click()} />
          <ActionMenuItem icon={Images} label={words.addStored} onClick={() => setPicking(true)} />
          <ActionMenuItem icon={StickyNote} label={words.note.add} onClick={() => addNote(null)} />
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.addFiles}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <MediaPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={words.addTitle}
        most={MOST}
        accept="all"
        onPick={(picked) => void actions.add(picked, folderId)}
      />
    </>
  );
}
