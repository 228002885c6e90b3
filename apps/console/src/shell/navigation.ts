import {
  ChartNoAxesColumn,
  CircleUserRound,
  Clock,
  House,
  Images,
  KeyRound,
  type LucideIcon,
  ServerCog,
  Sparkles,
  Trash2,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { useCallback } from 'react';
import { words } from '../words.ts';
import { useRole } from './session.ts';

export interface Place {
  readonly to: `/${'' | 'generate' | 'history' | 'personas' | 'boards' | 'uploads' | 'team' | 'usage' | 'tokens' | 'trash' | 'account' | 'operator'}`;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  readonly isForAdmins?: boolean;
}

const place = (to: Place['to'], label: string, icon: LucideIcon, key: string): Place => ({ to, label, icon, key });

const HOME = place('/', words.home.title, House, 'h');
export const GENERATE = place('/generate', words.generate.title, Sparkles, 'g');
const BOARDS = place('/boards', words.boards.title, Images, 'b');
const PERSONAS = place('/personas', words.personas.title, UserRound, 'p');
const HISTORY = place('/history', words.history.title, Clock, 'y');
const UPLOADS = place('/uploads', words.uploads.title, Upload, 'u');
const TEAM = place('/team', words.team.title, UsersRound, 't');
const USAGE = place('/usage', words.usage.title, ChartNoAxesColumn, 's');
const TOKENS = place('/tokens', words.tokens.short, KeyRound, 'k');
const TRASH: Place = { ...place('/trash', words.trash.title, Trash2, 'd'), isForAdmins: true };
/** Offered by the account menu, the palette and its key. */
const ACCOUNT = place('/account', words.account.title, CircleUserRound, 'a');
/** For operators of the service: offered only by the account menu, the palette and its key. */
const OPERATOR = place('/operator', words.operator.title, ServerCog, 'o');

/** The screens of the side bar, in groups. */
export const GROUPS: readonly { readonly title: string | null; readonly places: readonly Place[] }[] = [
  { title: null, places: [HOME, BOARDS, PERSONAS] },
  { title: words.shell.groups.work, places: [HISTORY, UPLOADS] },
  { title: words.shell.groups.workspace, places: [TEAM, USAGE, TOKENS, TRASH] },
];

/** The screens of the bar on a phone; the others are behind "More". */
export const BAR: readonly Place[] = [HOME, BOARDS, GENERATE, PERSONAS];
export const BEHIND_MORE: readonly Place[] = [HISTORY, UPLOADS, TEAM, USAGE, TOKENS, TRASH];
export const PLACES: readonly Place[] = [...BAR, ...BEHIND_MORE, ACCOUNT, OPERATOR];

/** Returns whether a screen is offered to the signed-in user. */
export function useIsOffered(): (place: Place) => boolean {
  const isAdmin = useRole('admin');
  return useCallback(({ isForAdmins }: Place) => isAdmin || !isForAdmins, [isAdmin]);
}
