import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  type GenerationResponse,
  generationsListOptions,
  type ModelDto,
  modelsListOptions,
  pollWhileOpen,
  useLiveGenerations,
} from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import {
  ErrorNotice,
  generationChanges,
  Loading,
  notifyDone,
  notifyError,
  offerUndo,
  Page,
  useCancel,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import { Composer } from './Composer.tsx';
import { draftOf, emptied, requestOf, variationOf } from './draft.ts';
import classes from './GeneratePage.module.css';
import type { Refusal } from './problems.ts';
import { Recent } from './Recent.tsx';
import { useDraft } from './use-draft.ts';
import { useFirstPrompt } from './use-first-prompt.ts';
import { useGenerate } from './use-generate.ts';
import { useSettingsFromAddress } from './use-settings-from-address.ts';

/** Generations shown beside the form; the history has the others. */
const RECENT = 24;
/** Narrow windows, where the results stand below the form; as in the style sheet. */
const BELOW_FORM = '(max-width: 1000px)';
const NONE: readonly GenerationResponse[] = [];

export function GeneratePage() {
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  return (
    <Page title={words.generate.title}>
      {models.data && <Studio models={models.data.models} />}
      {models.error && !models.data && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
      {models.isPending && <Loading rows={3} height={160} />}
    </Page>
  );
}

/** The form on one side, the results on the other. */
function Studio({ models }: { readonly models: readonly ModelDto[] }) {
  const { draft, drafts, setDraft, change } = useDraft();
  const [refused, setRefused] = useState<Refusal | null>(null);
  const recent = useRef<HTMLElement>(null);
  const me = useMe();
  const navigate = useNavigate();
  const { sending, generate } = useGenerate();
  const list = useQuery({
    ...generationsListOptions({ query: { limit: RECENT, user_id: me.user.id } }),
    refetchInterval: pollWhileOpen,
  });
  const generations = useShown(generationChanges, list.data)?.generations;
  useLiveGenerations(generations ?? NONE);
  const cancel = useCancel();
  const settings = useSettingsFromAddress(models, drafts, setDraft);
  useFirstPrompt(models, list.data, setDraft);

  const model = models.find(({ id }) => id === draft.model) ?? models[0];
  if (!model) return <ErrorNotice error={words.generate.noModelsAtAll} title={words.generate.noModels} />;
  const generateDraft = async (of: ModelDto) => {
    const asked = { ...requestOf(draft, of), model: of.id };
    try {
      if ((await generate(asked)) === null) return;
    } catch (error) {
      return setRefused({ asked, error });
    }
    setRefused(null);
    drafts.accepted(draft);
    showStarted(recent.current);
  };
  const startOver = () => {
    setDraft(emptied);
    setRefused(null);
    offerUndo(words.generate.startedOver, () => setDraft(() => draft));
  };
  const reuse = (generation: GenerationResponse, of: ModelDto | undefined) => {
    setDraft(() => draftOf(generation, of));
    void navigate({ to: '/generate', search: { from: generation.id }, resetScroll: true });
  };
  const vary = async (generation: GenerationResponse, of: ModelDto) => {
    const id = await generate({ ...requestOf(variationOf(draftOf(generation, of), of)!, of), model: of.id });
    if (id === null) return;
    setRefused(null);
    offerUndo(words.generate.varied(generation.cost), () => cancel(id));
  };
  return (
    <div className={classes.studio}>
      <Stack>
        {settings.error && (
          <ErrorNotice
            error={settings.error}
            title={words.generate.noSettings}
            onRetry={() => void settings.refetch()}
          />
        )}
        <Composer
          draft={draft}
          models={models}
          model={model}
          refused={refused}
          isSending={sending.length > 0}
          onChange={change}
          onStartOver={startOver}
          onGenerate={() => void generateDraft(model)}
        />
      </Stack>
      <Recent
        ref={recent}
        list={list}
        generations={generations}
        sending={sending}
        models={models}
        onCancel={({ id }) => void cancel(id).then(() => notifyDone(words.generate.canceled), notifyError)}
        onReuse={reuse}
        onVary={(generation, of) => void vary(generation, of).catch(notifyError)}
      />
    </div>
  );
}

/** Scrolls to the started generation: it may be below the form, or above the visible part. */
function showStarted(recent: HTMLElement | null): void {
  if (matchMedia(BELOW_FORM).matches) recent?.scrollIntoView();
  else recent?.querySelector('article')?.scrollIntoView({ block: 'nearest' });
}
