import { Group, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { words } from '../words.ts';
import type { PickTabProps } from './picked-media.ts';

/** A picture at a web address, which the service fetches. */
export function AddressTab({ isFull, onChoose }: PickTabProps) {
  const [url, setUrl] = useState('');
  const isUrl = /^https?:\/\/\S+$/i.test(url.trim()) && URL.canParse(url.trim());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isUrl || isFull) return;
    onChoose({ url: url.trim(), content_type: null, name: url.trim() });
    setUrl('');
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          type="url"
          label={words.picker.addressLabel}
          description={words.picker.addressHint}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <ActionButton type="submit" label={words.picker.use} disabled={!isUrl || isFull} />
      </Group>
    </form>
  );
}
