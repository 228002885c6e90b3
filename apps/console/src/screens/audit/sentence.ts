import { capitalized, settingText } from '../../text.ts';
import { ACTION_WORDS } from './action-words.ts';
import type { AuditEntryDto } from './audit-query.ts';
import { words } from './words.ts';

/** The actor in words. */
export function actorOf({ actor }: Pick<AuditEntryDto, 'actor'>): string {
  if (typeof actor === 'string') return words.actors[actor];
  return actor.email ?? words.goneUser(actor.user_id);
}

/** To what it was done: a person by e-mail, a thing by its name in quotes. */
export function targetOf({ target: { type, id, name } }: Pick<AuditEntryDto, 'target'>): string {
  if (name === null) return words.unnamed(words.targets[type], id);
  return type === 'user' || type === 'invitation' ? name : `“${name}”`;
}

/** The rest of the sentence that begins with the actor. */
export function deedOf(entry: Pick<AuditEntryDto, 'actor' | 'action' | 'target' | 'details'>): string {
  const { actor, action, target, details } = entry;
  const isOwn = target.type === 'user' && typeof actor === 'object' && actor.user_id === target.id;
  const account = isOwn ? words.ownAccount : words.accountOf(targetOf(entry));
  return ACTION_WORDS[action].did({ target: targetOf(entry), account, details });
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * The details of an entry as labels and texts.
 *
 * @param timeText writes a time
 */
export function detailsOf(
  { details }: Pick<AuditEntryDto, 'details'>,
  timeText: (at: Date) => string,
): readonly (readonly [string, string])[] {
  return Object.entries(details).map(([name, value]) => [capitalized(name), textOf(value, timeText)]);
}

function textOf(value: unknown, timeText: (at: Date) => string): string {
  if (value === null) return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map(settingText).join(', ');
  if (typeof value === 'string' && ISO_TIME.test(value)) return timeText(new Date(value));
  return settingText(value);
}
