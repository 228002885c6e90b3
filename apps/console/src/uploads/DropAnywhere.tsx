import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { authMeOptions } from '../api/index.ts';
import { useAnywhereTarget } from './drop-anywhere.ts';
import { useFilesInHand, useFileTarget } from './use-file-target.ts';
import { uploadFiles } from './use-uploads.ts';
import classes from './DropAnywhere.module.css';
import { words } from './words.ts';

/** Accepts files that are dropped outside of all targets: for the screen's own target, else as uploads of the user. */
export function DropAnywhere() {
  const body = useRef(document.body);
  const target = useAnywhereTarget();
  const isOver = useFileTarget(body, target?.onFiles ?? ((files) => uploadFiles(files)));
  const isInHand = useFilesInHand();
  const { data: me } = useQuery({ ...authMeOptions(), enabled: isInHand, staleTime: 60_000 });
  if (!isInHand) return null;
  return (
    <div className={classes.frame} data-over={isOver || undefined}>
      <div className={classes.label}>
        {isOver && (
          <>
            <Upload size={18} aria-hidden />
            <Text fw={600}>{target?.label ?? words.dropAnywhere}</Text>
          </>
        )}
        {me && (
          <Text size="xs" ta="center" style={{ flexBasis: '100%' }}>
            {words.metadata[me.upload_metadata]}
          </Text>
        )}
      </div>
    </div>
  );
}
