import type { Settings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** A setting as shown to operators. */
export interface ShownSetting {
  readonly variable: string;
  readonly description: string;
  /** The default as Markdown; `null` when there is none. */
  readonly default: string | null;
  readonly isSet: boolean;
  /** The given value without passwords; `null` if absent or a secret. */
  readonly value: string | null;
}

const SECRET = /(TOKEN|KEY|SECRET|PASSWORD)$/;

/** Every setting, in the order of the documentation. */
export function shownSettings({ environment }: Pick<Settings, 'environment'>): readonly ShownSetting[] {
  return Object.values<Record<string, Setting<unknown>>>(SETTINGS)
    .flatMap((group) => Object.values(group))
    .map(({ variable, description, shownDefault }) => {
      const given = environment[variable];
      const value = given === undefined || SECRET.test(variable) ? null : withoutPasswords(given);
      return { variable, description, default: shownDefault, isSet: given !== undefined, value };
    });
}

/** Removes user, password and query of URLs: the query may contain a secret too. */
function withoutPasswords(text: string): string | null {
  if (!text.includes('://')) return text;
  const shown = text.split(',').map((part) => {
    if (!URL.canParse(part.trim())) return null;
    const { protocol, host, pathname } = new URL(part.trim());
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  });
  return shown.includes(null) ? null : shown.join(', ');
}

/** The settings as the Markdown table of docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.values<Record<string, Setting<unknown>>>(SETTINGS)
    .flatMap((group) => Object.values(group))
    .map((setting) => [`\`${setting.variable}\``, setting.shownDefault ?? '', setting.allowed, setting.description]);
  return [['Variable', 'Default', 'Allowed', 'What it does'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
