import { Text } from '@mantine/core';
import type { StorageDto } from '../../api/index.ts';
import { bytes, CreditsBar, Section } from '../../ui/index.ts';
import { words } from './words.ts';

/** The size of the workspace's files, and its quota. */
export function StorageUse({ storage: { used, quota } }: { readonly storage: StorageDto }) {
  const isFull = quota !== null && used >= quota;
  return (
    <Section title={words.storage}>
      <Text>
        <strong>{bytes(used)}</strong> {words.stored}{' '}
        <Text span c="dimmed">
          {quota === null ? words.noQuota : words.of(bytes(quota))}
        </Text>
      </Text>
      {quota !== null && <CreditsBar purchased={quota} available={quota - used} size={14} mt="md" />}
      {isFull && (
        <Text mt="md" fw={560}>
          {words.full}
        </Text>
      )}
    </Section>
  );
}
