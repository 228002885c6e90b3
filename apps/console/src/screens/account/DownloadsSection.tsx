import { Switch } from '@mantine/core';
import { usePreference } from '../../ui/index.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

/** How the zips of the account are made. */
export function DownloadsSection() {
  const [label, set] = usePreference('label_downloads');
  return (
    <Setting title={words.downloads} hint={words.downloadsHint}>
      <Switch
        label={words.labelDownloads}
        disabled={label === undefined}
        checked={label === 'yes'}
        onChange={(event) => set(event.currentTarget.checked ? 'yes' : '')}
      />
    </Setting>
  );
}
