import type { AddedEntriesResponse, AddedProviderDto, HealthDto, ProvidersResponse } from '../generated/index.ts';

/** A provider, added by an operator or defined elsewhere. */
export interface KnownProvider {
  readonly id: string;
  readonly type: string;
  /** Null for a provider of the file or of the settings. */
  readonly added: AddedProviderDto | null;
  readonly maxConcurrent: number;
  readonly perMinute: number | null;
  /** Why it can't be used; null for a usable provider. */
  readonly problem: string | null;
  readonly health: HealthDto | null;
  /** Since when workers do not call it; null while they do. */
  readonly pausedSince: string | null;
  /** True if the vendors have been asked. */
  readonly isChecked: boolean;
}

/** All providers by id: those of operators are known before the vendors have been asked. */
export function providersOf(
  catalogue: AddedEntriesResponse | undefined,
  checked: ProvidersResponse | undefined,
): readonly KnownProvider[] {
  const added = catalogue?.providers ?? [];
  const found = checked?.providers ?? [];
  const fixed = found.filter(({ id }) => !added.some((each) => each.id === id));
  return [...fixed, ...added]
    .map((each) => {
      const { id, type, max_concurrent: maxConcurrent, submissions_per_minute: perMinute } = each;
      const own = found.find((provider) => provider.id === id);
      return {
        ...{ id, type, maxConcurrent, perMinute },
        added: 'revision' in each ? each : null,
        problem: 'problem' in each ? each.problem : null,
        health: own?.health ?? null,
        pausedSince: own?.paused_since ?? null,
        isChecked: own !== undefined,
      };
    })
    .sort((a, b) => a.id.localeCompare(b.id));
}
