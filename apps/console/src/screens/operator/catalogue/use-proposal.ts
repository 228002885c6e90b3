import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProposeModelRequest } from '../generated/index.ts';
import { useCatalogueChanges } from './catalogue-queries.ts';
import { type Entry, withChange } from './entry.ts';
import { allQuestions, type Answers, openQuestions, type Proposal, type Question } from './proposal.ts';

type Source = Pick<ProposeModelRequest, 'provider' | 'target' | 'workflow'>;

interface Proposed {
  readonly source: Source;
  readonly proposal: Proposal;
  /** All questions so far. */
  readonly questions: readonly Question[];
}

/** Milliseconds without another answer before the service is asked again: it asks the vendor. */
const TYPING_MS = 300;
const NO_ANSWERS: Answers = {};

/** The proposed entry of a model, with the operator's answers and changes. */
export function useProposal() {
  const { propose } = useCatalogueChanges();
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const [changes, setChanges] = useState<Partial<Entry>>({});
  const asking = useMutation({
    mutationFn: ({ source, answers }: { readonly source: Source; readonly answers: Answers }) =>
      propose({ ...source, answers: answers as Readonly<Record<string, unknown>> }),
  });
  const ask = (source: Source, answers: Answers, asked: readonly Question[]) => {
    asking.mutate(
      { source, answers },
      {
        onSuccess: (proposal) => {
          setProposed({ source, proposal, questions: allQuestions(asked, proposal.questions) });
          const suggested = proposal.questions.find((question) => question.about === 'tasks')?.suggested ?? [];
          if (suggested.length > 0) setChanges((before) => ({ tasks: suggested, ...before }));
        },
      },
    );
  };
  const askAgain = useDebouncedCallback(ask, TYPING_MS);

  const entry = proposed && withChange(withoutId(proposed.proposal.entry), changes);
  return {
    entry,
    id: proposed?.proposal.entry.id ?? null,
    questions: proposed?.questions ?? [],
    open: proposed && entry ? openQuestions(proposed.proposal.questions, entry) : [],
    leftOut: proposed?.proposal.left_out ?? [],
    answers,
    error: asking.error,
    isReading: asking.isPending,
    /** Reads the description of another model. */
    read: (source: Source) => {
      setProposed(null);
      setAnswers(NO_ANSWERS);
      setChanges({});
      ask(source, NO_ANSWERS, []);
    },
    forget: () => {
      setProposed(null);
      asking.reset();
    },
    answer: (next: Answers) => {
      setAnswers(next);
      // The answer may change these fields.
      setChanges(({ parameters: _, inputs: __, mapping: ___, ...others }) => others);
      if (proposed) askAgain(proposed.source, next, proposed.questions);
    },
    change: (change: Partial<Entry>) => setChanges((before) => ({ ...before, ...change })),
    replace: (whole: Entry) => {
      const removed = Object.keys(entry ?? {}).map((field) => [field, undefined]);
      setChanges((before) => ({ ...before, ...Object.fromEntries(removed), ...whole }));
    },
  };
}

function withoutId({ id: _, ...entry }: Proposal['entry']): Entry {
  return entry;
}
