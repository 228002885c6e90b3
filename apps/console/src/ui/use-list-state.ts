import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Values = Readonly<Record<string, string | number | boolean>>;

/**
 * The state of a list in the URL: its filters, its page, what is open. Values that equal `absent` are left out.
 *
 * @param absent the state of an address without any of it; define it outside the component
 * @returns the state, and a function that changes parts of it; `push` makes the change one to go back from
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

/** Values of another type than the default's are ignored: addresses are typed by people, too. */
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
