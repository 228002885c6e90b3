import { CircleCheck, MessageSquare, PencilLine } from 'lucide-react';
import type { MediaDto } from '../../../api/index.ts';
import { TileBadge } from '../../../ui/index.ts';
import { words } from './words.ts';

const ICONS = { none: null, approved: CircleCheck, changes_requested: PencilLine };

type Reviewed = Pick<MediaDto, 'decision' | 'comments_count' | 'version'>;

/** The decision about an item and the number of its comments, in its tile. */
export function ReviewBadge({ decision, comments_count: comments, version }: Reviewed) {
  const Icon = ICONS[decision];
  if (!Icon && comments === 0 && version === 1) return null;
  return (
    <TileBadge at="bottom-end" aria-hidden>
      {version > 1 && words.version(version)}
      {Icon && <Icon size={14} />}
      {comments > 0 && (
        <>
          <MessageSquare size={13} />
          {comments}
        </>
      )}
    </TileBadge>
  );
}

/** Label for screen readers; empty for an item without decision and comments. */
export function describeReview({ decision, comments_count: comments, version }: Reviewed): string {
  const of = version === 1 ? '' : words.version(version);
  return [of, words.badge(decision === 'none' ? '' : words.decisions[decision], comments)].filter(Boolean).join(', ');
}
