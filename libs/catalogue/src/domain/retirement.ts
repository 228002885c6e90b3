import type { Model, Models } from './model.ts';
import { resolveModel } from './resolve-model.ts';

const DAY_MS = 86_400_000;
/** Days before the end of a model, ascending. */
const WARNING_DAYS = [1, 7, 30, 60] as const;
export type WarningDays = (typeof WARNING_DAYS)[number];

/**
 * The warning that is due before the end of a model: the nearest one that has begun, once.
 *
 * @param lastWarned `null` when nobody was warned
 */
export function dueWarning(retiresAt: Date, now: Date, lastWarned: Date | null): WarningDays | null {
  if (retiresAt <= now) return null;
  const begins = (days: number) => new Date(retiresAt.getTime() - days * DAY_MS);
  const days = WARNING_DAYS.find((each) => begins(each) <= now) ?? null;
  return days !== null && (lastWarned === null || lastWarned < begins(days)) ? days : null;
}

/** A warning before the end of a model. */
export interface RetirementWarning {
  readonly model: Model & { readonly retiresAt: Date };
  readonly days: WarningDays;
  /** Takes its calls then; `null` without one. */
  readonly successor: Model | null;
}

/**
 * The warnings that are due.
 *
 * @param lastWarned when people were last warned of a model, by its id
 */
export function dueWarnings(
  models: Pick<Models, 'all' | 'gone'>,
  now: Date,
  lastWarned: ReadonlyMap<string, Date> = new Map(),
): readonly RetirementWarning[] {
  return models.all.flatMap((model) => {
    const { id, retiresAt } = model;
    const days = retiresAt && dueWarning(retiresAt, now, lastWarned.get(id) ?? null);
    if (!days) return [];
    return [{ model: { ...model, retiresAt }, days, successor: resolveModel(id, models, now).successor }];
  });
}
