import { type RefObject, useMemo, useRef, useState } from 'react';
import type { GenerationResponse, ModelDto, PresetDto } from '../../api/index.ts';
import { draftOf, emptied, requestOf } from '../../model-form/draft.ts';
import { modelOf, type Refusal, withSettings } from '../../model-form/index.ts';
import { useLatest } from '../../state/index.ts';
import { ErrorNotice, offerUndo, useGenerate } from '../../ui/index.ts';
import { Composer, type ComposerHandle } from './Composer.tsx';
import { Results } from './Results.tsx';
import classes from './Studio.module.css';
import { useDraft } from './use-draft.ts';
import { useFirstPrompt } from './use-first-prompt.ts';
import { useSettingsFromAddress } from './use-settings-from-address.ts';
import { words } from './words.ts';

interface StudioProps {
  readonly models: readonly ModelDto[];
  readonly showsFailed: boolean;
  readonly onFailed: (isShown: boolean) => void;
  /** Opens a generation. */
  readonly onOpen: (id: number) => void;
}

/** The grid, and the composer at the foot. */
export function Studio({ models, showsFailed, onFailed, onOpen }: StudioProps) {
  const composer = useRef<ComposerHandle>(null);
  const { settings, sending, generateDraft, fill, use, retry, ...composed } = useComposed(models, composer);
  const { draft } = composed;
  // The grid is not drawn again while people type.
  const latest = useLatest({ generateDraft, use, retry, onFailed, onOpen });
  const actions = useMemo(
    () => ({
      onFirst: () => void latest.current.generateDraft(),
      onUse: (generation: GenerationResponse, of: ModelDto) => latest.current.use(generation, of),
      onRetry: (generation: GenerationResponse, of: ModelDto) => latest.current.retry(generation, of),
      onFailed: (isShown: boolean) => latest.current.onFailed(isShown),
      onOpen: (id: number) => latest.current.onOpen(id),
    }),
    [latest],
  );
  return (
    <div className={classes.studio}>
      {settings.error && (
        <ErrorNotice error={settings.error} title={words.noSettings} onRetry={() => void settings.refetch()} />
      )}
      <Results models={models} sending={sending} showsFailed={showsFailed} {...actions} />
      <Composer
        {...composed}
        ref={composer}
        models={models}
        isSending={sending.length > 0}
        onPreset={(preset: PresetDto) => fill(withSettings(draft, preset), words.presets.chosen(preset.name))}
        onStartOver={() => fill(emptied(draft), words.startedOver)}
        onGenerate={() => void generateDraft()}
      />
    </div>
  );
}

/** The draft of the composer: how it is filled, and started. */
function useComposed(models: readonly ModelDto[], composer: RefObject<ComposerHandle | null>) {
  const { draft, drafts, setDraft, change } = useDraft();
  const [refused, setRefused] = useState<Refusal | null>(null);
  const { sending, generate } = useGenerate();
  const settings = useSettingsFromAddress(models, setDraft, drafts);
  useFirstPrompt(models, setDraft);

  const model = modelOf(draft.model, models) ?? models[0]!;
  const generateDraft = async () => {
    const asked = { ...requestOf(draft, model), model: model.id };
    try {
      if ((await generate(asked)) === null) return;
    } catch (error) {
      return setRefused({ asked, error });
    }
    setRefused(null);
    drafts.accepted(draft);
    composer.current?.close();
    // To the tile of what was started.
    scrollTo({ top: 0 });
  };
  /** Fills the composer, which can be undone. */
  const fill = (next: typeof draft, message: string) => {
    setDraft(() => next);
    setRefused(null);
    offerUndo(message, () => setDraft(() => draft));
  };
  const use = (generation: GenerationResponse, of: ModelDto) => {
    fill(draftOf(generation, of), words.used);
    composer.current?.open();
  };
  const retry = async (generation: GenerationResponse, of: ModelDto) =>
    (await generate({ ...requestOf(draftOf(generation, of), of), model: of.id })) !== null;
  return { draft, model, refused, onChange: change, settings, sending, generateDraft, fill, use, retry };
}
