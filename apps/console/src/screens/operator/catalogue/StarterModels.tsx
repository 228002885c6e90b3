import { Checkbox, Stack } from '@mantine/core';
import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { X12Error } from '../../../api/index.ts';
import { costText } from '../../../model-form/index.ts';
import { capitalized } from '../../../text.ts';
import { ActionButton, Section } from '../../../ui/index.ts';
import type { SaveModelRequest } from '../generated/index.ts';
import { useRead } from '../operator-queries.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { priceText } from './CostField.tsx';
import { costParts, type Entry, freeId, otherProblems, withChange } from './entry.ts';
import { openQuestions } from './proposal.ts';
import { STARTERS } from './starters.ts';
import type { VendorType } from './vendors.ts';
import { words } from './words.ts';

const text = words.starters;

/** Models of a vendor to begin with: those that are ticked are added. Absent where none are known. */
export function StarterModels({ provider, type }: { readonly provider: string; readonly type: VendorType }) {
  const rows = useStarters(provider, type);
  const taken = useRead('models').data?.models.map(({ id }) => id) ?? [];
  const { saveModel } = useCatalogueChanges();
  const [ticked, tick] = useState(() => rows.map(({ target }) => target));
  const chosen = rows.filter(({ target, entry, isAdded }) => entry && !isAdded && ticked.includes(target));
  const adding = useMutation({
    mutationFn: async () => {
      const refused = new Map<string, unknown>();
      for (const { target, id, entry } of chosen) {
        const body = { entry: entry as SaveModelRequest['entry'], revision: null };
        await saveModel(freeId(id, taken), body).catch((error: unknown) => refused.set(target, error));
      }
      return refused;
    },
  });
  if (rows.length === 0) return null;
  return (
    <Section title={text.title}>
      <Checkbox.Group description={text.hint} value={ticked} onChange={tick}>
        <Stack gap="sm" my="sm">
          {rows.map(({ target, entry, about, isAdded, error }) => (
            <Checkbox
              key={target}
              value={target}
              label={entry?.title ?? target}
              description={isAdded ? text.added : about}
              error={!isAdded && messageOf(adding.data?.get(target) ?? error)}
              disabled={isAdded || !entry}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <ActionButton
        label={text.add(chosen.length)}
        disabled={chosen.length === 0}
        loading={adding.isPending}
        onClick={() => adding.mutate()}
      />
    </Section>
  );
}

/** The proposed entries; null until they are read, and where they need answers. */
function useStarters(provider: string, type: VendorType) {
  const { propose } = useCatalogueChanges();
  const added = useRead('catalogue').data?.models.map(({ entry }) => entry as Entry) ?? [];
  const proposals = useQueries({
    queries: STARTERS[type].map(({ target }) => ({
      queryKey: ['starter', provider, target],
      queryFn: () => propose({ provider, target }),
      staleTime: Infinity,
    })),
  });
  return STARTERS[type].map(({ target, use, cost }, at) => {
    const { data, error } = proposals[at]!;
    const isAdded = added.some((entry) => entry.provider === provider && entry.target?.split(':')[0] === target);
    const { id = '', ...proposed }: Entry & { readonly id?: string } = data?.entry ?? {};
    const tasks = data?.questions.find((question) => question.about === 'tasks')?.suggested;
    const { credits, per } = costParts(cost);
    const ours = costText({ cost: credits as number, cost_per: per, parameters: { properties: proposed.parameters } });
    const price = data?.questions.find((question) => question.about === 'cost')?.price;
    const about = [text.uses[use], ours, price && priceText(price)].filter(Boolean).join(' · ');
    const entry = withChange(proposed, { cost, ...(tasks?.length && { tasks }) });
    const isOpen = data && openQuestions(data.questions, entry).length > 0;
    return {
      target,
      id,
      about,
      isAdded,
      entry: data && !isOpen ? entry : null,
      error: isOpen ? new Error(text.asks) : error,
    };
  });
}

function messageOf(error: unknown): string | undefined {
  const fields = error instanceof X12Error ? otherProblems(error.fields, []) : [];
  return error instanceof Error ? capitalized(fields.join('; ') || error.message) : undefined;
}
