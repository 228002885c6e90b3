import { Button, Menu } from '@mantine/core';
import { ChevronDown, Images, Plus, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { MediaPicker, type PickedMedia } from '../../ui/index.ts';
import { words } from './words.ts';

/** Maximum items chosen at once. */
const MOST = 50;

interface AddMediaProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onPick: (picked: readonly PickedMedia[]) => void;
}

/** Adds media to the open folder: files of this device, stored media, or media at an address. */
export function AddMedia({ onFiles, onPick }: AddMediaProps) {
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
          <Menu.Item leftSection={<Upload size={16} aria-hidden />} onClick={() => input.current?.click()}>
            {words.addFiles}
          </Menu.Item>
          <Menu.Item leftSection={<Images size={16} aria-hidden />} onClick={() => setPicking(true)}>
            {words.addStored}
          </Menu.Item>
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
        onPick={onPick}
      />
    </>
  );
}
