import { sql } from 'kysely';
import type { InputSet, NewTrial, QueuedTrial, Trial, TrialState, TrialStore } from '#generation';
import type { Database } from '../database.ts';
import { discardObject } from '../files/discarded-files.ts';

const TRIAL = [
  'id',
  'model',
  'model_revision as modelRevision',
  'entry',
  'prompt',
  'parameters',
  'request_key as requestKey',
  'credits',
  'state',
  'handle',
  'outputs',
  'vendor_cost as vendorCost',
  'error',
  'created_at as createdAt',
  'started_at as startedAt',
  'finished_at as finishedAt',
] as const;

const trialsIn = ({ kysely }: Database) => kysely.selectFrom('trials').select(TRIAL);

const NO_INPUTS: InputSet<string> = {
  image: null,
  style: null,
  references: [],
  mask: null,
  control: null,
  pictures: [],
};

export class PostgresTrials implements TrialStore {
  constructor(private readonly database: Database) {}

  /** A model has one open trial (`trials_one_open`). */
  async add(trial: NewTrial): Promise<QueuedTrial | null> {
    const { inputs, ...facts } = trial;
    const added = await this.#kysely
      .insertInto('trials')
      .values({
        model: trial.model,
        model_revision: trial.modelRevision,
        entry: json(trial.entry),
        prompt: trial.prompt,
        parameters: json(trial.parameters),
        inputs: json(inputs),
        request_key: trial.requestKey,
        credits: trial.credits,
        state: 'queued',
        created_at: trial.createdAt,
      })
      .onConflict((conflict) => conflict.column('model').where('finished_at', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    return added ? { ...facts, id: added.id, state: 'queued' } : null;
  }

  async openOf(model: string): Promise<Trial | null> {
    const row = await trialsIn(this.database)
      .where('model', '=', model)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    return row ? trialOf(row) : null;
  }

  async find(id: number): Promise<Trial | null> {
    const row = await trialsIn(this.database).where('id', '=', id).executeTakeFirst();
    return row ? trialOf(row) : null;
  }

  async inputsOf(id: number): Promise<InputSet<string>> {
    const row = await this.#kysely.selectFrom('trials').select('inputs').where('id', '=', id).executeTakeFirst();
    return row?.inputs ?? NO_INPUTS;
  }

  async save(trial: Trial, from: TrialState): Promise<boolean> {
    const { numUpdatedRows } = await this.#kysely
      .updateTable('trials')
      .set({
        state: trial.state,
        started_at: 'startedAt' in trial ? trial.startedAt : null,
        finished_at: 'finishedAt' in trial ? trial.finishedAt : null,
        handle: json(trial.state === 'submitted' ? trial.handle : null),
        outputs: json(trial.state === 'succeeded' ? trial.outputs : null),
        vendor_cost: trial.state === 'succeeded' ? trial.vendorCost : null,
        error: json(trial.state === 'failed' ? trial.error : null),
      })
      .where('id', '=', trial.id)
      .where('state', '=', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  discard(key: string, at: Date): Promise<void> {
    return discardObject(this.database, key, at);
  }

  get #kysely() {
    return this.database.kysely;
  }
}

const json = <T>(value: T) => sql<T>`${value === null ? null : JSON.stringify(value)}::jsonb`;

type Row = Awaited<ReturnType<ReturnType<typeof trialsIn>['executeTakeFirstOrThrow']>>;

/** The constraints of the table say which columns a state has. */
function trialOf({ state, handle, outputs, vendorCost, error, startedAt, finishedAt, ...facts }: Row): Trial {
  switch (state) {
    case 'queued':
      return { ...facts, state };
    case 'sent':
      return { ...facts, state, startedAt: startedAt! };
    case 'submitted':
      return { ...facts, state, startedAt: startedAt!, handle: handle! };
    case 'succeeded':
      return { ...facts, state, startedAt: startedAt!, finishedAt: finishedAt!, outputs: outputs!, vendorCost };
    case 'failed':
      return { ...facts, state, startedAt, finishedAt: finishedAt!, error: error! };
  }
}
