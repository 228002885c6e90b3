import type { AuditLog } from '#audit-log';
import {
  costOf,
  parameterValues,
  type CatalogueChanges,
  type JsonObject,
  type LiveCatalogue,
  type ParameterCheck,
} from '#catalogue';
import { DomainError, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import {
  readTrialInputs,
  requireDeclared,
  requireTriable,
  type Trial,
  type TrialOutput,
  type TrialRequest,
} from './domain/trial.ts';
import type { TrialStore } from './ports.ts';

/** Call of an operator. */
export interface TrialCall {
  /** An entry that is not saved; `null` for the entry in the catalogue. */
  readonly entry: JsonObject | null;
  readonly prompt: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** For each input a URL, for `references` a list of them. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Trials of models by operators. `TrialRuns` runs them. */
export class Trials {
  constructor(
    private readonly deps: {
      readonly catalogue: Pick<LiveCatalogue, 'refresh' | 'find'>;
      readonly changes: Pick<CatalogueChanges, 'checkModel'>;
      readonly parameterCheck: ParameterCheck;
      readonly trials: TrialStore;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly newKey: () => string;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Starts a trial of a model, which the vendor bills. While a trial of the model is open, the same call returns that
   * trial and starts none.
   *
   * @throws DomainError `not_found` (the model); `validation_failed`; `conflict` while another trial of the model is open
   */
  async start(model: string, { entry, prompt, parameters: fields, inputs: pictures }: TrialCall): Promise<Trial> {
    const { catalogue, changes, parameterCheck, trials, newKey, unitOfWork, clock } = this.deps;
    await catalogue.refresh();
    const tried = entry ? await changes.checkModel(model, entry) : catalogue.find(model);
    requireTriable(tried);
    requireDeclared(tried, fields);
    const parameters = parameterValues(tried, fields, (values) => parameterCheck.problemsOf(tried, values));
    const request: TrialRequest = { entry, prompt, parameters, inputs: readTrialInputs(tried, pictures) };
    return unitOfWork.run(async () => {
      const { id, revision: modelRevision } = tried;
      const credits = costOf(tried, parameters);
      const added = await trials.add({
        ...request,
        model: id,
        modelRevision,
        requestKey: newKey(),
        credits,
        createdAt: clock.now(),
      });
      if (!added) return this.#openTrial(id, request);
      const details = { id, revision: modelRevision, saved: entry === null };
      await this.deps.auditLog.record({ action: 'model.try', target: added.id, details, workspaceId: null });
      await this.deps.jobs.announce({ name: 'trial.run', payload: { trialId: added.id }, workspaceId: null });
      return added;
    });
  }

  /** @throws DomainError `not_found` */
  async find(id: number): Promise<Trial> {
    const trial = await this.deps.trials.find(id);
    if (!trial) throw notFound('trial');
    return trial;
  }

  /** @param position from 1 @throws DomainError `not_found` */
  async findOutput(id: number, position: number): Promise<TrialOutput> {
    const trial = await this.find(id);
    const output = trial.state === 'succeeded' ? trial.outputs[position - 1] : undefined;
    if (!output) throw notFound('output');
    return output;
  }

  async #openTrial(model: string, { entry, prompt, parameters, inputs }: TrialRequest): Promise<Trial> {
    const open = await this.deps.trials.openOf(model);
    if (!open)
      throw new DomainError('conflict', 'the trial before this one has just ended: look at it, then try again');
    const underWay = {
      entry: open.entry,
      prompt: open.prompt,
      parameters: open.parameters,
      inputs: await this.deps.trials.inputsOf(open.id),
    };
    if (sortedJson(underWay) === sortedJson({ entry, prompt, parameters, inputs })) return open;
    throw new DomainError('conflict', `trial ${open.id} of the model ${model} is under way: wait until it has ended`);
  }
}

/** Requests are the same whatever the order of their fields is. */
function sortedJson(request: TrialRequest): string {
  return JSON.stringify(request, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
