import { Button, type ButtonProps } from '@mantine/core';
import { Grid3x3 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { loadPart, notifyError } from '../ui/index.ts';
import type { BatchSource } from './use-batch-draft.ts';
import { words } from './words.ts';

interface BatchButtonProps extends ButtonProps {
  /** The form that the batch begins with; without one, the batch that was filled in last, or an empty one. */
  readonly source: BatchSource | null;
}

const load = () => loadPart(() => import('./BatchPanel.tsx'));
const Panel = lazy(() => load().then(({ BatchPanel }) => ({ default: BatchPanel })));

/** Opens the form of a batch beside the screen. */
export function BatchButton({ source, children = words.title, ...button }: BatchButtonProps) {
  const [isOpen, setOpen] = useState(false);
  // A part that can't be loaded is no reason to lose the screen.
  const open = () => void load().then(() => setOpen(true), notifyError);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-haspopup="dialog"
        leftSection={<Grid3x3 size={15} aria-hidden />}
        {...button}
        onClick={open}
      >
        {children}
      </Button>
      <Suspense>{isOpen && <Panel source={source} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
