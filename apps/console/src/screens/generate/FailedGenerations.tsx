import { ArrowLeft, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { type GenerationResponse, generationsListInfiniteOptions, usePages } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { ActionButton, EmptyState, MoreOfList, QueryState } from '../../ui/index.ts';
import classes from './GenerationTile.module.css';
import { words } from './words.ts';

const text = words.failed;

interface FailedGenerationsProps {
  readonly onClose: () => void;
  readonly children: (generation: GenerationResponse) => ReactNode;
}

/** The user's generations that failed, newest first. */
export function FailedGenerations({ onClose, children }: FailedGenerationsProps) {
  const { user } = useMe();
  const options = generationsListInfiniteOptions({ query: { state: 'failed', limit: 50, user_id: user.id } });
  const { list, items: generations } = usePages(options, (page) => page.generations);
  return (
    <>
      <div>
        <ActionButton icon={ArrowLeft} label={text.back} variant="default" onClick={onClose} />
      </div>
      {!generations && <QueryState query={list} rows={2} height={215} />}
      {generations?.length === 0 && <EmptyState icon={CircleCheck} title={text.none} hint={text.noneHint} />}
      <ul className={classes.mosaic} aria-label={text.title}>
        {generations?.map((generation) => (
          <li key={generation.id}>{children(generation)}</li>
        ))}
      </ul>
      <MoreOfList query={list} />
    </>
  );
}
