import { useQueries, useQuery } from '@tanstack/react-query';
import { Ban, Brush, UserRound } from 'lucide-react';
import { type ModelDto, personasListOptions, personasStylesListOptions } from '../api/index.ts';
import { fileName } from '../text.ts';
import { storedPicture, MediaThumb } from '../ui/index.ts';
import type { BatchDraft, StyleChoice } from './batch-draft.ts';
import { type Tick, TickCards } from './TickCards.tsx';
import { words } from './words.ts';

interface StyleTicksProps {
  readonly draft: BatchDraft;
  /** The ticked models. */
  readonly models: readonly ModelDto[];
  readonly error: string | undefined;
  readonly onChange: (value: readonly StyleChoice[]) => void;
}

const ICON = { size: 20, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** The styles to compare: the persona's own, none, its trained styles, and a style picture of the form. */
export function StyleTicks({ draft, models, error, onChange }: StyleTicksProps) {
  const { personas, styles } = draft;
  const trained = useTrainedStyles(personas, models);
  const pictures = styles.filter((style) => typeof style === 'string' && style !== 'persona' && style !== 'none');
  const takesStyle = models.some(({ inputs }) => inputs.style !== 'none');
  const ofPersona = personas.length > 0 && takesStyle;
  const ticks: readonly Tick[] = [
    ...(ofPersona
      ? [
          { id: 'persona', name: words.ownStyle, picture: <UserRound {...ICON} /> },
          { id: 'none', name: words.noStyle, picture: <Ban {...ICON} /> },
        ]
      : []),
    ...trained,
    ...pictures.map((url) => ({
      id: String(url),
      name: fileName(String(url)),
      picture: <MediaThumb media={storedPicture(String(url))} alt="" width={40} />,
    })),
  ];
  const known = new Set(ticks.map(({ id }) => id));
  const value = styles.map(String).filter((id) => known.has(id));
  if (ticks.length === 0) return null;
  return (
    <TickCards
      label={words.styles}
      hint={personas.length > 0 ? words.stylesHint : undefined}
      ticks={ticks}
      value={value}
      error={error}
      onChange={(ids) => onChange(ids.map((id) => (/^\d+$/.test(id) ? Number(id) : id)))}
    />
  );
}

/** The ready styles of the ticked personas that fit a ticked model. */
function useTrainedStyles(personas: readonly number[], models: readonly ModelDto[]): readonly Tick[] {
  const { data } = useQuery(personasListOptions());
  const lists = useQueries({ queries: personas.map((id) => personasStylesListOptions({ path: { persona_id: id } })) });
  const families = models.filter(({ inputs }) => inputs.style_weights !== 'none').map(({ family }) => family);
  return lists.flatMap((list, at) => {
    const persona = data?.personas.find(({ id }) => id === personas[at])?.name ?? '';
    const fitting =
      list.data?.styles.filter(({ state, family }) => state === 'ready' && families.includes(family)) ?? [];
    return fitting.map(({ id, name, preview, pictures }) => {
      const src = preview ?? pictures[0]?.url ?? null;
      return {
        id: String(id),
        name: personas.length > 1 ? words.ofPersona(name, persona) : name,
        picture: src === null ? <Brush {...ICON} /> : <MediaThumb media={storedPicture(src)} alt="" width={40} />,
      };
    });
  });
}
