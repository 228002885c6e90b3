import { Link } from '@tanstack/react-router';
import { type LucideIcon, SearchX } from 'lucide-react';
import { ActionButton } from './ActionButton.tsx';
import { places } from '../places.ts';
import { EmptyState } from './EmptyState.tsx';
import { words } from './words.ts';

interface NothingFoundProps {
  /** Icon of the list when it is empty. */
  readonly icon: LucideIcon;
  readonly texts: {
    readonly empty: string;
    readonly emptyHint: string;
    readonly noMatches: string;
    readonly noMatchesHint: string;
  };
  readonly isFiltered: boolean;
  /** Clears the filters. */
  readonly onClear: () => void;
}

/** A list of generated things without items: offers to clear its filters, or to generate. */
export function NothingFound({ icon, texts, isFiltered, onClear }: NothingFoundProps) {
  if (isFiltered) {
    const clear = <ActionButton label={words.filters.clear} variant="default" onClick={onClear} />;
    return <EmptyState icon={SearchX} title={texts.noMatches} hint={texts.noMatchesHint} action={clear} />;
  }
  const generate = <ActionButton component={Link} label={places.generate} to="/generate" />;
  return <EmptyState icon={icon} title={texts.empty} hint={texts.emptyHint} action={generate} />;
}
