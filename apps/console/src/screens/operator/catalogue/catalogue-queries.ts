import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { X12Error } from '../../../api/index.ts';
import type {
  AddedEntriesResponse,
  AddedModelDto,
  AddedModelResponse,
  AddedProviderDto,
  AddedProviderResponse,
  HealthDto,
  ProposeModelRequest,
  ProvidersResponse,
  SaveModelRequest,
  SaveProviderRequest,
} from '../generated/index.ts';
import { useAccess } from '../operator-queries.ts';
import { type Entry, type EntryProblems, previewable } from './entry.ts';
import type { Proposal } from './proposal.ts';
import { words } from './words.ts';

/** Milliseconds without a keystroke before an entry is checked. */
const TYPING_MS = 350;

/** Another operator has changed or deleted the entry since it was read. */
export class ChangedMeanwhile extends Error {
  constructor(readonly isDeleted: boolean) {
    super(isDeleted ? words.conflict.deleted : words.conflict.changed);
  }
}

/** The changes of the catalogue. Each rejects with the service's refusal, or with `ChangedMeanwhile`. */
export function useCatalogueChanges() {
  const { read, send, onModels } = useAccess();
  const queries = useQueryClient();

  const refreshAll = () => {
    onModels();
    for (const key of ['catalogue', 'models', 'providers']) void queries.invalidateQueries({ queryKey: [key] });
  };
  const show = (change: (all: AddedEntriesResponse) => AddedEntriesResponse) =>
    queries.setQueryData<AddedEntriesResponse>(['catalogue'], (all) => all && change(all));
  /** Tells a change of another operator from other conflicts. */
  const change = async <T>(kind: keyof AddedEntriesResponse, { id, revision }: Based, make: () => Promise<T>) => {
    try {
      const made = await make();
      // The check of all vendors may take a while.
      refreshAll();
      return made;
    } catch (error) {
      if (!(error instanceof X12Error) || !['conflict', 'not_found'].includes(error.code) || !revision) throw error;
      const now = await read<AddedEntriesResponse>('catalogue');
      queries.setQueryData(['catalogue'], now);
      const current = (now[kind] as readonly Based[]).find((each) => each.id === id);
      if (current?.revision === revision) throw error;
      throw new ChangedMeanwhile(!current);
    }
  };
  const pathOf = (kind: string, id: string) => `${kind}/${encodeURIComponent(id)}`;

  return {
    saveProvider: (id: string, body: SaveProviderRequest) =>
      change('providers', { id, revision: body.revision }, async () => {
        const { provider } = await send<AddedProviderResponse>('PUT', pathOf('providers', id), { body });
        show((all) => ({ ...all, providers: [...all.providers.filter((each) => each.id !== id), provider] }));
        return provider;
      }),
    deleteProvider: ({ id, revision }: AddedProviderDto) =>
      change('providers', { id, revision }, () => send('DELETE', pathOf('providers', id), { query: { revision } })),
    /** Its health, which is then shown in the lists too. */
    checkProvider: async (id: string): Promise<HealthDto> => {
      const { state, finding, advice } = await send<HealthDto>('POST', `${pathOf('providers', id)}/check`);
      const health = { state, finding, advice };
      queries.setQueryData<ProvidersResponse>(
        ['providers'],
        (all) =>
          all && { ...all, providers: all.providers.map((each) => (each.id === id ? { ...each, health } : each)) },
      );
      return health;
    },
    saveModel: (id: string, body: SaveModelRequest) =>
      change('models', { id, revision: body.revision }, async () => {
        const { model } = await send<AddedModelResponse>('PUT', pathOf('models', id), { body });
        show((all) => ({ ...all, models: [...all.models.filter((each) => each.id !== id), model] }));
        return model;
      }),
    deleteModel: ({ id, revision }: AddedModelDto) =>
      change('models', { id, revision }, () => send('DELETE', pathOf('models', id), { query: { revision } })),
    propose: (body: ProposeModelRequest) => send<Proposal>('POST', 'models/propose', { body }),
  };
}

interface Based {
  readonly id: string;
  readonly revision?: number | null;
}

/**
 * The model of an entry as callers would see it, and the problems of the entry by field. The last valid model stays while
 * the entry is wrong.
 */
export function useEntryCheck(id: string, entry: Entry | null) {
  const { send } = useAccess();
  const [text] = useDebouncedValue(JSON.stringify({ id, entry }), TYPING_MS, { leading: true });
  const query = useQuery({
    queryKey: ['entry', text],
    enabled: entry !== null && !text.endsWith('"entry":null}'),
    queryFn: async ({ signal }) => {
      const asked = JSON.parse(text) as { readonly id: string; readonly entry: Entry };
      const body = { entry: previewable(asked.entry), dry_run: true };
      const path = `models/${encodeURIComponent(asked.id || ' ')}`;
      try {
        const { model } = await send<AddedModelResponse>('PUT', path, { body, signal });
        return { model: model.model, problems: {} };
      } catch (error) {
        if (!(error instanceof X12Error) || error.code !== 'validation_failed') throw error;
        return { model: null, problems: error.fields as EntryProblems };
      }
    },
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  const found = query.data?.model ?? null;
  const [last, setLast] = useState(found);
  if (found && found !== last) setLast(found);
  return { model: found ?? last, problems: query.data?.problems ?? {}, error: query.error, retry: query.refetch };
}
