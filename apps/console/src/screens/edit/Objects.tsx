import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { WandSparkles } from 'lucide-react';
import { isOpen } from '../../api/index.ts';
import { unsigned } from '../../file-url.ts';
import { ActionButton, Credits, ErrorNotice, FailureNotice, Hint, Note } from '../../ui/index.ts';
import classes from './ToolOptions.module.css';
import type { useObjects } from './use-objects.ts';
import { words } from './words.ts';

const text = words.objects;

interface ObjectsProps {
  readonly objects: ReturnType<typeof useObjects>;
  readonly onChoose: (url: string, name: string) => void;
}

/** Finds the objects of the picture, and lists them for keys and screen readers. */
export function Objects({ objects, onChoose }: ObjectsProps) {
  const { by, found, isStarting, error, hasFailedMasks, find } = objects;
  if (!by) return null;
  const isFinding = isStarting || (found !== undefined && isOpen(found));
  const outputs = found?.outputs ?? [];
  return (
    <div className={classes.options}>
      {error !== null && <ErrorNotice error={error} />}
      {found?.state === 'failed' && <FailureNotice generation={found} />}
      {hasFailedMasks && <Alert color="yellow">{text.notLoaded}</Alert>}
      {isFinding && (
        <Hint role="status">
          <Loader size={14} mr={8} aria-hidden />
          {text.finding}
        </Hint>
      )}
      {found?.state === 'succeeded' && outputs.length === 0 && <Text size="sm">{text.none}</Text>}
      {outputs.length > 0 && (
        <Group gap={6} align="stretch" role="group" aria-label={text.list}>
          {outputs.map(({ url, label }, at) => (
            <ActionButton
              label={text.name(label, at + 1)}
              key={unsigned(url)}
              size="compact-sm"
              variant="default"
              onClick={() => onChoose(unsigned(url), text.name(label, at + 1))}
            />
          ))}
        </Group>
      )}
      {!isFinding && outputs.length === 0 && (
        <Button variant="default" leftSection={<WandSparkles size={16} aria-hidden />} onClick={find}>
          {text.find}
          <Note span ml={8}>
            <Credits amount={by.price} />
          </Note>
        </Button>
      )}
    </div>
  );
}
