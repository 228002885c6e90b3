/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import type { Media } from './api.ts';
import { errorText } from './errors.ts';
import { useGuest } from './guest-context.ts';
import { isNewVersion } from './media.ts';
import { memory } from './memory.ts';
import { words } from './words.ts';

/** The versions of the open item, and an earlier one that is shown in its place. */
export function useVersions(item: Media) {
  const { api } = useGuest();
  const [chosen, choose] = useState<Media | null>(null);
  const [error, setError] = useState<unknown>(null);
  const earlier = chosen !== null && chosen.id !== item.id && item.versions.includes(chosen.id) ? chosen : null;
  useEffect(() => {
    if (isNewVersion(item)) memory.write('seen', `${memory.read('seen')} ${item.id}`.trim());
  }, [item]);
  const show = async (id: number) => {
    setError(null);
    try {
      choose(id === item.id ? null : ((await api.versions(item.id)).media.find((each) => each.id === id) ?? null));
    } catch (failure) {
      setError(failure);
    }
  };
  return { earlier, shown: earlier ?? item, show, error };
}

interface VersionSwitchProps {
  readonly item: Media;
  readonly versions: ReturnType<typeof useVersions>;
}

/** Shows an earlier version in the place of the newest. */
export function VersionSwitch({ item, versions: { earlier, shown, show, error } }: VersionSwitchProps) {
  if (item.versions.length === 1) return null;
  return (
    <section aria-label={words.versions}>
      <div class="choices">
        {item.versions.map((id, index) => (
          <button key={id} type="button" aria-pressed={id === shown.id} onClick={() => void show(id)}>
            {words.version(index + 1)}
          </button>
        ))}
      </div>
      {earlier && (
        <p class="dimmed" role="status">
          {words.earlier(words.decisions[earlier.decision])}
        </p>
      )}
      {error !== null && (
        <p class="problem" role="alert">
          {errorText(error)}
        </p>
      )}
    </section>
  );
}
