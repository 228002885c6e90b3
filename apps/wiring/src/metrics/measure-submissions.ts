import { Logger } from '@nestjs/common';
import { Counter, type Registry, type RegistryContentType } from 'prom-client';
import type { SubmissionReport, SubmissionReporter } from '#generation';

/** Outcomes that an operator has to know: something may be running, or paid for, that nobody has. */
const ALARMING: Partial<Record<SubmissionReport['outcome'], string>> = {
  outcome_unknown: 'it cannot be known whether the provider has made it; the credits were released',
  not_told: 'the provider could not be told to stop within a day',
};

const logger = new Logger('Submissions');

/** Counts the outcomes of submissions by provider, and logs those that an operator has to know. */
export function measureSubmissions(registry: Registry<RegistryContentType>): SubmissionReporter {
  const outcomes = new Counter({
    name: 'x12_submissions_total',
    help: 'Outcomes of submissions to remote providers.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  const unknown = new Counter({
    name: 'x12_provider_outcome_unknown_total',
    help: 'Generations that failed because it cannot be known whether their provider has made them.',
    labelNames: ['provider'],
    registers: [registry],
  });
  return ({ submission, outcome, error }) => {
    const { provider, generationId, requestKey } = submission;
    outcomes.inc({ provider, outcome });
    if (outcome === 'outcome_unknown') unknown.inc({ provider });
    const facts = { provider, generationId, requestKey, outcome, ...(error !== undefined && { err: error }) };
    const alarm = ALARMING[outcome];
    if (alarm) logger.error(facts, alarm);
    else if (error !== undefined) logger.warn(facts, `submission: ${outcome}`);
  };
}
