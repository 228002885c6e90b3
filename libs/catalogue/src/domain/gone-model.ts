/** Calls within an hour, of this many callers, to which the vendor has said that it has no such model. */
const REFUSALS = 5;
const CALLERS = 2;
const HOUR_MS = 3_600_000;

/** A call to which the vendor has said that it has no such model. */
export interface VendorRefusal {
  readonly userId: number;
  readonly at: Date;
}

/** The refusals of a model that its vendor says it does not have. */
export interface VendorDoubt {
  /** The latest refusals, the newest last. */
  readonly refusals: readonly VendorRefusal[];
  /** `null` while the model counts as there. */
  readonly goneSince: Date | null;
}

/** A model is gone when the vendor knows no such model in five calls within an hour by at least two callers. */
export function afterRefusal({ refusals, goneSince }: VendorDoubt, refusal: VendorRefusal): VendorDoubt {
  const recent = refusals.filter(({ at }) => refusal.at.getTime() - at.getTime() <= HOUR_MS);
  const latest = [...recent, refusal].slice(-REFUSALS);
  const isGone = latest.length === REFUSALS && new Set(latest.map(({ userId }) => userId)).size >= CALLERS;
  return { refusals: latest, goneSince: goneSince ?? (isGone ? refusal.at : null) };
}
