import {
  ChartNoAxesColumn,
  CircleUserRound,
  Grid3x3,
  House,
  Images,
  Inbox,
  LibraryBig,
  type LucideIcon,
  ScrollText,
  ServerCog,
  Share2,
  Sparkles,
  SquareTerminal,
  Trash2,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { useCallback } from 'react';
import { places } from '../places.ts';
import { useRole } from './session.ts';
import { words } from './words.ts';

export interface Place {
  readonly to: `/${'' | 'inbox' | 'generate' | 'library' | 'personas' | 'boards' | 'shares' | 'batches' | 'uploads' | 'team' | 'usage' | 'tokens' | 'trash' | 'audit' | 'account' | 'operator'}`;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  readonly isForAdmins?: boolean;
}

const place = (to: Place['to'], label: string, icon: LucideIcon, key: string): Place => ({ to, label, icon, key });

const HOME = place('/', places.home, House, 'h');
export const INBOX = place('/inbox', places.inbox, Inbox, 'i');
export const GENERATE = place('/generate', places.generate, Sparkles, 'g');
const LIBRARY = place('/library', places.library, LibraryBig, 'l');
const BOARDS = place('/boards', places.boards, Images, 'b');
const SHARES: Place = { ...place('/shares', places.shares, Share2, 'r'), isForAdmins: true };
const PERSONAS = place('/personas', places.personas, UserRound, 'p');
const UPLOADS = place('/uploads', places.uploads, Upload, 'u');
const TEAM = place('/team', places.team, UsersRound, 't');
const USAGE = place('/usage', places.usage, ChartNoAxesColumn, 's');
const TOKENS = place('/tokens', places.tokens, SquareTerminal, 'k');
const TRASH: Place = { ...place('/trash', places.trash, Trash2, 'd'), isForAdmins: true };
const AUDIT: Place = { ...place('/audit', places.audit, ScrollText, 'w'), isForAdmins: true };
const BATCHES = place('/batches', places.batches, Grid3x3, 'm');
/** Offered by the account menu, the palette and its key. */
const ACCOUNT = place('/account', places.account, CircleUserRound, 'a');
/** For operators of the service: offered only by the account menu, the palette and its key. */
const OPERATOR = place('/operator', places.operator, ServerCog, 'o');

/** The screens of the side bar, in groups. */
export const GROUPS: readonly { readonly title: string | null; readonly places: readonly Place[] }[] = [
  { title: null, places: [HOME, INBOX, LIBRARY, BATCHES, BOARDS, SHARES, PERSONAS, UPLOADS] },
  { title: words.groups.workspace, places: [TEAM, USAGE, TOKENS, TRASH, AUDIT] },
];

/** The screens of the bar on a phone; the others are behind "More". */
export const BAR: readonly Place[] = [HOME, BOARDS, GENERATE, PERSONAS];
export const BEHIND_MORE: readonly Place[] = [
  INBOX,
  LIBRARY,
  BATCHES,
  SHARES,
  UPLOADS,
  TEAM,
  USAGE,
  TOKENS,
  TRASH,
  AUDIT,
];
export const PLACES: readonly Place[] = [...BAR, ...BEHIND_MORE, ACCOUNT, OPERATOR];

/** Returns whether a screen is offered to the signed-in user. */
export function useIsOffered(): (place: Place) => boolean {
  const isAdmin = useRole('admin');
  return useCallback(({ isForAdmins }: Place) => isAdmin || !isForAdmins, [isAdmin]);
}
