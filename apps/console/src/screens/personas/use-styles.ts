import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import {
  modelsListOptions,
  personasStylesListOptions,
  refresh,
  x12,
  type ModelDto,
  type PersonaDto,
  type SlotDto,
  type StyleDto,
} from '../../api/index.ts';
import { notifyDone, notifyError, type RecordForm } from '../../ui/index.ts';
import { words } from './words.ts';

/** How often the styles are read again while one is trained. */
const POLL_MS = 1500;

export function isTraining({ state }: Pick<StyleDto, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** The styles of a persona, read again while one is trained. Its end may change the active style. */
export function useStyles(personaId: number) {
  const queries = useQueryClient();
  const query = useQuery({
    ...personasStylesListOptions({ path: { persona_id: personaId } }),
    refetchInterval: ({ state }) => (state.data?.styles.some(isTraining) ? POLL_MS : false),
  });
  const isOpen = query.data?.styles.some(isTraining) ?? false;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) void refresh(queries, 'personas', 'credits');
    wasOpen.current = isOpen;
  }, [isOpen, queries]);
  return query;
}

/** Every model with seeds takes one below it. */
const MAX_SEED = 100_000;
const MODELS = { ...modelsListOptions(), staleTime: 300_000 };

/** The models that train styles. */
export function useTrainers(): readonly ModelDto[] | undefined {
  const { data } = useQuery(MODELS);
  return data?.models.filter(({ kind }) => kind === 'style');
}

/** The slots that a style is trained on. */
export function filledStyleSlots({ slots }: Pick<PersonaDto, 'slots'>): readonly SlotDto[] {
  return slots.filter(({ slot, photo, state }) => slot <= 6 && photo !== null && state !== 'failed');
}

/** A form that makes one picture with a style and one without any, of one seed, beside each other. */
export function useComparison({ id, name, family }: StyleDto, persona: PersonaDto): RecordForm<'prompt' | 'model'> {
  const navigate = useNavigate();
  const { data } = useQuery(MODELS);
  const models = data?.models.filter((model) => model.inputs.style_weights !== 'none' && model.family === family) ?? [];
  const text = words.styles;
  return {
    title: text.compareTitle(name),
    fields: {
      prompt: { label: text.comparePrompt, maxLength: 10_000 },
      model: {
        label: text.compareModel,
        initial: models[0]?.id ?? null,
        choices: models.map((model) => ({ value: model.id, label: model.title })),
      },
    },
    submit: text.compareSubmit,
    send: async ({ prompt, model }) => {
      const seeds = [Math.floor(Math.random() * MAX_SEED)];
      const matrix = { models: [model], prompts: [prompt], personas: [persona.id], styles: [id, 'none'], seeds };
      const made = await x12.batches.create({ name: text.compareTitle(name), matrix });
      if ('batch' in made) await navigate({ to: `/batches/${made.batch.id}` });
    },
  };
}

/** The changes of the styles of a persona. */
export function useStyleChanges({ id: persona_id }: Pick<PersonaDto, 'id'>) {
  const queries = useQueryClient();
  const settled = () => refresh(queries, 'personas', 'styles', 'credits');
  return {
    activate: useMutation({
      mutationFn: (style_id: number | null) => x12.personas.activeStyle.update({ persona_id, style_id }),
      onError: (error) => notifyError(error),
      onSettled: settled,
    }),
    rename: async (style_id: number, name: string) => {
      await x12.personas.styles.update({ persona_id, style_id, name });
      await settled();
    },
    remove: async ({ id: style_id, name }: StyleDto) => {
      await x12.personas.styles.delete({ persona_id, style_id });
      notifyDone(words.styles.deleted(name));
      await settled();
    },
    settled,
  };
}
