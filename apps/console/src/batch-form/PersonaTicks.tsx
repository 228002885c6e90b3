import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { personasGetOptions, personasListOptions, type PersonaSummaryDto } from '../api/index.ts';
import { storedPicture, MediaThumb, usePersonaNames } from '../ui/index.ts';
import { TickCards } from './TickCards.tsx';
import { words } from './words.ts';

interface PersonaTicksProps {
  readonly value: readonly number[];
  readonly error: string | undefined;
  readonly onChange: (value: readonly number[]) => void;
}

const NONE: readonly PersonaSummaryDto[] = [];

/** The personas that each prompt is generated with. */
export function PersonaTicks({ value, error, onChange }: PersonaTicksProps) {
  const { data } = useQuery(personasListOptions());
  const personas = data?.personas ?? NONE;
  const nameOf = usePersonaNames(personas);
  const ticks = useMemo(
    () =>
      personas.map((persona) => ({
        id: String(persona.id),
        name: nameOf(persona),
        picture: <PersonaPicture id={persona.id} isFilled={persona.slots_filled > 0} />,
      })),
    [personas, nameOf],
  );
  if (ticks.length === 0) return null;
  return (
    <TickCards
      label={words.personas}
      search={words.searchPersonas}
      ticks={ticks}
      value={value.map(String)}
      error={error}
      onChange={(ids) => onChange(ids.map(Number))}
    />
  );
}

/** The picture of its main slot, or of the first that has one. */
function PersonaPicture({ id, isFilled }: { readonly id: number; readonly isFilled: boolean }) {
  const { data } = useQuery({
    ...personasGetOptions({ path: { persona_id: id } }),
    enabled: isFilled,
    staleTime: 60_000,
  });
  const slots = data?.persona.slots ?? [];
  const { photo = null } =
    slots.find((slot) => slot.purpose === 'main' && slot.photo) ?? slots.find((slot) => slot.photo) ?? {};
  if (photo === null) return <UserRound size={20} strokeWidth={1.6} aria-hidden />;
  return <MediaThumb media={storedPicture(photo)} alt="" width={40} />;
}
