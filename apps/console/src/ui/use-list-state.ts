import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Values = Readonly<Record<string, string | number | boolean>>;

/**
 * The state of a list in the URL: its filters and its open item. Values that equal `absent` are left out.
 *
 * @param absent the default state; define it outside the component
 * @returns the state, and a function that changes parts of it; `push` adds an entry to the browser's history
 */
export function useListState<T extends Values>(absent: T) {
  const search = useSearch({ strict: false }) as Values;
  const navigate = useNavigate();
  const state = useMemo(() => stateOf(search, absent), [search, absent]);
  const change = useCallback(
    (part: Partial<T>, { push = false } = {}) => {
      const next = (before: Values) => searchOf({ ...before, ...part }, absent);
      void navigate({ to: '.', search: next as never, replace: !push, resetScroll: false });
    },
    [navigate, absent],
  );
  return [state, change] as const;
}

/** Ignores values of another type than the default, as people type addresses too. */
export function stateOf<T extends Values>(search: Values, absent: T): T {
  const given = Object.entries(search).map(([name, value]) => [
    name,
    typeof absent[name] === 'string' ? String(value) : value,
  ]);
  const valid = given.filter(([name, value]) => typeof absent[name as string] === typeof value);
  return { ...absent, ...Object.fromEntries(valid) };
}

function searchOf(state: Values, absent: Values): Values {
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => value !== absent[name]));
}
