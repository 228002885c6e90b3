import { type ComponentProps, useState } from 'react';
import { ShareDialog } from '../sharing/index.ts';
import { type PutOnBoard, PutOnBoardDialog } from '../ui/index.ts';

interface ShareItemsProps {
  /** Null while the dialog is closed. */
  readonly files: ComponentProps<typeof PutOnBoardDialog>['files'];
  readonly onClose: () => void;
}

/** Shares items of the library: puts them on a board first, because links show items of boards. */
export function ShareItems({ files, onClose }: ShareItemsProps) {
  const [put, setPut] = useState<PutOnBoard | null>(null);
  return (
    <>
      <PutOnBoardDialog files={files} onClose={onClose} onPut={setPut} />
      <ShareDialog shared={put} name={put?.name ?? ''} onClose={() => setPut(null)} />
    </>
  );
}
