import type { Model, Models } from './model.ts';
import { resolveModel } from './resolve-model.ts';

const DAY_MS = 86_400_000;
/** Days before the end of a model, ascending. */
const WARNING_DAYS = [1, 7, 30, 60] as const;
export type WarningDays = (typeof WARNING_DAYS)[number];

/** The warning that is due before the end of a model: the nearest one that has begun. */
export function dueWarning(retiresAt: Date, now: Date): WarningDays | null {
  const left = retiresAt.getTime() - now.getTime();
  return left > 0 ? (WARNING_DAYS.find((days) => left <= days * DAY_MS) ?? null) : null;
}

/** A warning before the end of a model. */
export interface RetirementWarning {
  readonly model: Model & { readonly retiresAt: Date };
  readonly days: WarningDays;
  /** Takes its calls then; `null` without one. */
  readonly successor: Model | null;
}

/** The warnings that are due, also those that people have had. */
export function dueWarnings(models: Pick<Models, 'all' | 'gone'>, now: Date): readonly RetirementWarning[] {
  return models.all.flatMap((model) => {
    const { id, retiresAt } = model;
    const days = retiresAt && dueWarning(retiresAt, now);
    if (!days) return [];
    return [{ model: { ...model, retiresAt }, days, successor: resolveModel(id, models, now).successor }];
  });
}
