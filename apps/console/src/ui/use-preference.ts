import { useQuery, useQueryClient } from '@tanstack/react-query';
import { authPreferencesGetOptions, x12 } from '../api/index.ts';
import { notifyError } from './notices.tsx';

/** Names of what the console keeps for the account. */
type Preference = 'dismissed_failures' | 'tile_size' | 'favourite_models' | 'auto_advance' | 'label_downloads';

const READ = { ...authPreferencesGetOptions(), staleTime: Infinity };

/** A setting that follows the account: its text, empty for none and undefined until it is read, and how it is changed. */
export function usePreference(name: Preference) {
  const queries = useQueryClient();
  const { data } = useQuery(READ);
  const set = (value: string): void => {
    queries.setQueryData(
      READ.queryKey,
      (before) => before && { ...before, preferences: { ...before.preferences, [name]: value } },
    );
    void x12.auth.preferences.update({ preferences: { [name]: value } }).catch(notifyError);
  };
  return [data && (data.preferences[name] ?? ''), set] as const;
}
