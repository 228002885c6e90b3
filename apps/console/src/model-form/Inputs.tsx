import { Input } from '@mantine/core';
import type { DryRunResponse, ModelDto } from '../api/index.ts';
import { fileName } from '../text.ts';
import type { PickedMedia } from '../ui/index.ts';
import { type Draft, FIELDS_OF, type InputName } from './draft.ts';
import classes from './Inputs.module.css';
import { labelOf } from './field-labels.ts';
import { InputTile } from './InputTile.tsx';
import { words } from './words.ts';

interface InputsProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  /** The pictures that the service takes from the persona. */
  readonly resolved: DryRunResponse['inputs'] | undefined;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<Draft>) => void;
}

const text = words.input;
const SINGLE = ['image', 'style', 'mask', 'control'] as const;

/** The input pictures of the model: chosen in the form, or taken from the persona. */
export function Inputs({ draft, model, resolved, problems, onChange }: InputsProps) {
  const taken = SINGLE.filter((input) => model.inputs[input] !== 'none');
  const takesReferences = model.inputs.references !== 'none';
  if (taken.length === 0 && !takesReferences) return null;
  const errorOf = (input: InputName) => FIELDS_OF[input].map((field) => problems[field]).find(Boolean);
  return (
    <Input.Wrapper label={text.title} labelElement="div">
      <div className={classes.tiles}>
        {taken.map((input) => (
          <InputTile
            key={input}
            label={labelOf(input, model)}
            note={model.inputs[input] === 'required' ? text.required : text.optional}
            error={errorOf(input)}
            personaId={draft.pid}
            onPick={([picked]) => onChange({ [input]: picked })}
            {...shownFor(input, draft, resolved, onChange)}
          />
        ))}
        {takesReferences && <References {...{ draft, model, resolved, onChange }} error={errorOf('references')} />}
      </div>
    </Input.Wrapper>
  );
}

/** The picture of a tile: chosen in the form, else taken from the persona. */
function shownFor(
  input: (typeof SINGLE)[number],
  draft: Draft,
  resolved: InputsProps['resolved'],
  onChange: InputsProps['onChange'],
): { media: PickedMedia | null; origin?: string; onRemove?: () => void } {
  const own = draft[input];
  if (own !== null && own !== 'none') return { media: own, onRemove: () => onChange({ [input]: null }) };
  if (input === 'style' && own === 'none' && draft.pid !== null) return { media: null };
  const url = resolved && urlOf(input, resolved);
  if (!url || draft.pid === null) return { media: null };
  // Only the style of a persona can be left out.
  const onRemove = input === 'style' ? () => onChange({ style: 'none' }) : undefined;
  return { media: pictureAt(url), origin: text.fromPersona, onRemove };
}

function urlOf(input: (typeof SINGLE)[number], resolved: DryRunResponse['inputs']): string | null {
  if (input === 'image') return resolved.image ?? resolved.start_frame;
  return input === 'style' ? resolved.style_reference : resolved[input];
}

function pictureAt(url: string): PickedMedia {
  return { url, content_type: 'image/*', name: fileName(url) };
}

type ReferencesProps = Omit<InputsProps, 'problems'> & { readonly error: string | undefined };

function References({ draft, model, resolved, error, onChange }: ReferencesProps) {
  const most = model.inputs.max_references;
  const own = draft.references.slice(0, most);
  const fromPersona = own.length === 0 && draft.pid !== null ? (resolved?.references ?? []) : [];
  const put =
    (at: number) =>
    ([picked]: readonly PickedMedia[]) => {
      if (picked) onChange({ references: own.with(at, picked) });
    };
  return (
    <>
      {own.map((media, at) => (
        <InputTile
          key={`${at} ${media.url}`}
          label={text.reference(at + 1)}
          media={media}
          personaId={draft.pid}
          onPick={put(at)}
          onRemove={() => onChange({ references: own.toSpliced(at, 1) })}
        />
      ))}
      {fromPersona.map((url, at) => (
        <InputTile
          key={`${at} ${url}`}
          label={text.reference(at + 1)}
          media={pictureAt(url)}
          origin={text.fromPersona}
          personaId={draft.pid}
          most={most}
          onPick={(picked) => onChange({ references: picked })}
        />
      ))}
      {own.length < most && fromPersona.length === 0 && (
        <InputTile
          label={text.names.references}
          note={model.inputs.references === 'required' ? text.required : text.upTo(most)}
          media={null}
          error={error}
          most={most - own.length}
          personaId={draft.pid}
          onPick={(picked) => onChange({ references: [...own, ...picked] })}
        />
      )}
    </>
  );
}
