import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** The settings as the Markdown table of docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.values<Record<string, Setting<unknown>>>(SETTINGS)
    .flatMap((group) => Object.values(group))
    .map((setting) => [`\`${setting.variable}\``, setting.shownDefault ?? '', setting.allowed, setting.description]);
  return [['Variable', 'Default', 'Allowed', 'What it does'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
