import {
  ChartNoAxesColumn,
  Clock,
  House,
  Images,
  KeyRound,
  type LucideIcon,
  ServerCog,
  Sparkles,
  Upload,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { words } from '../words.ts';

export interface Place {
  readonly to:
    | '/'
    | '/generate'
    | '/history'
    | '/personas'
    | '/boards'
    | '/uploads'
    | '/team'
    | '/usage'
    | '/tokens'
    | '/operator';
  readonly label: string;
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
}

/** The screens in the order of the navigation; the first four stand in the bar of a phone. */
export const PLACES: readonly Place[] = [
  { to: '/', label: words.home.title, icon: House, key: 'h' },
  { to: '/generate', label: words.generate.title, icon: Sparkles, key: 'g' },
  { to: '/boards', label: words.boards.title, icon: Images, key: 'b' },
  { to: '/personas', label: words.personas.title, icon: UserRound, key: 'p' },
  { to: '/history', label: words.history.title, icon: Clock, key: 'y' },
  { to: '/uploads', label: words.uploads.title, icon: Upload, key: 'u' },
  { to: '/team', label: words.team.title, icon: UsersRound, key: 't' },
  { to: '/usage', label: words.usage.title, icon: ChartNoAxesColumn, key: 's' },
  { to: '/tokens', label: words.tokens.short, icon: KeyRound, key: 'k' },
  { to: '/operator', label: words.operator.title, icon: ServerCog, key: 'o' },
];
