import { account } from './screens/account/words.ts';
import { boards } from './screens/boards/words.ts';
import { generate } from './screens/generate/words.ts';
import { history } from './screens/history/words.ts';
import { home } from './screens/home/words.ts';
import { operator } from './screens/operator/words.ts';
import { personas } from './screens/personas/words.ts';
import { signIn } from './screens/sign-in/words.ts';
import { team } from './screens/team/words.ts';
import { tokens } from './screens/tokens/words.ts';
import { trash } from './screens/trash/words.ts';
import { usage } from './screens/usage/words.ts';
import { shell } from './shell/words.ts';
import { ui } from './ui/words.ts';
import { uploads } from './uploads/words.ts';

/** All texts of the console. The texts of each screen are in its folder. */
export const words = {
  product: 'X12',
  shell,
  ui,
  signIn,
  home,
  generate,
  history,
  personas,
  boards,
  uploads,
  team,
  trash,
  usage,
  tokens,
  operator,
  account,
};
