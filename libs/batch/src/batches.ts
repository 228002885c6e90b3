import { available, BudgetExceeded, budgetEvent, monthOf, type CreditLedger, type CreditViews } from '#credits';
import type { EventLog } from '#events';
import type { StoredUrls } from '#files';
import {
  assertCallable,
  callOf,
  NO_SLOTS,
  type GenerateCall,
  type GenerationRequest,
  type Generations,
} from '#generation';
import { customDataFor, planOf, type Actor, type Plans, type TokenStore } from '#identity';
import {
  DomainError,
  notFound,
  type BatchJobs,
  type Clock,
  type CustomData,
  type JobRun,
  type Jobs,
  type UnitOfWork,
} from '#kernel';
import { stateAfter, type Batch, type BatchCommand } from './domain/batch.ts';
import { cellsOf, type BatchContent, type CellFields } from './domain/cells.ts';
import { coveredBy, priceAfterRetry, priceOf } from './domain/price.ts';
import { isWrongCell, MAX_WRONG_CELLS, refusalOf, type WrongCell } from './domain/wrong-cells.ts';
import type { BatchStore } from './ports.ts';

/** The request of a caller. */
export interface BatchCall extends CustomData {
  readonly name: string;
  readonly webhook: string | null;
  readonly content: BatchContent;
  /** Only checks the cells and computes their costs. */
  readonly dryRun: boolean;
  /** Reads the fields of a cell. @throws DomainError `validation_failed` */
  readonly toCall: (fields: CellFields) => GenerateCall;
}

/** An accepted batch; a dry run has no id. */
export interface AcceptedBatch {
  readonly id: number | null;
  /** The costs of the cells in their order. */
  readonly costs: readonly number[];
  readonly cost: number;
}

/** A cell to prepare. */
interface ToPrepare {
  readonly cell: number;
  readonly call: () => GenerateCall;
}

interface Collaborators {
  readonly store: BatchStore;
  readonly generations: Pick<Generations, 'withCaching' | 'acceptAll' | 'schedule' | 'cancel'>;
  readonly urls: Pick<StoredUrls, 'plainUrlOf'>;
  readonly mayCall: (url: string) => boolean;
  readonly ledger: Pick<CreditLedger, 'balance'>;
  readonly credits: Pick<CreditViews, 'usedOfBudgets'>;
  readonly plans: Plans;
  readonly tokens: Pick<TokenStore, 'budgets'>;
  readonly events: Pick<EventLog, 'recordApart'>;
  readonly jobs: Jobs & Pick<BatchJobs, 'withdraw'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

const CANCEL_AT_A_TIME = 100;
/** Cells that are prepared before other requests have their turn: a few milliseconds of work. */
const CELLS_IN_A_TURN = 20;

/** Accepts, pauses, cancels and retries batches. `BatchEnds` ends them. */
export class Batches {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Accepts all cells of a batch, or none.
   *
   * @throws DomainError `validation_failed`, also with the first wrong cells; `insufficient_credits`, `budget_exceeded`,
   * `quota_exceeded`, `no_persona`, `conflict` (the caller has left the workspace), `forbidden` (the token is bound to another
   * customer)
   */
  create(actor: Actor, { name, webhook, content, dryRun, toCall, ...given }: BatchCall): Promise<AcceptedBatch> {
    const { store, generations, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const customData = customDataFor(actor, given);
      assertCallable(webhook, this.deps.mayCall);
      const cells = cellsOf(content);
      const { workspaceId, userId } = actor;
      const toPrepare = cells.map(({ cell, fields }) => ({
        cell,
        call: () => ({ ...inheriting(toCall(fields), customData), dryRun }),
      }));
      const requests = await prepareAll(actor, generations.withCaching(), toPrepare);
      const costs = requests.map(({ cost }) => cost);
      const cost = priceOf(costs);
      if (dryRun) return { id: null, costs, cost };
      await this.#requireCredits(actor, requests);
      const matrix = 'matrix' in content ? content.matrix : null;
      const total = cells.length;
      const batch = { workspaceId, userId, name, webhook, matrix, total, cost, ...customData, createdAt: clock.now() };
      const id = await store.add(batch);
      await generations.acceptAll(actor, id, inBatch(id, toPrepare, requests), false);
      return { id, costs, cost };
    });
  }

  /** Holds the cells that have not started. @throws DomainError `not_found`, `conflict` */
  pause(actor: Pick<Actor, 'workspaceId'>, id: number): Promise<void> {
    return this.#command('pause', actor, id, async () => this.deps.jobs.withdraw(id));
  }

  /** Schedules the held cells. @throws DomainError `not_found`, `conflict` */
  resume(actor: Pick<Actor, 'workspaceId'>, id: number): Promise<void> {
    const { store, generations } = this.deps;
    return this.#command('resume', actor, id, async () => {
      await generations.schedule(actor.workspaceId, id, await store.heldCells(id));
    });
  }

  /** Holds the cells that have not started, and cancels all open cells soon. @throws DomainError `not_found`, `conflict` */
  cancel(actor: Pick<Actor, 'workspaceId'>, id: number): Promise<void> {
    const { jobs } = this.deps;
    const { workspaceId } = actor;
    return this.#command('cancel', actor, id, async () => {
      await jobs.withdraw(id);
      await jobs.announce({ name: 'batch.cancel', payload: { batchId: id }, workspaceId });
    });
  }

  /** Cancels the open cells of a batch that is being canceled; the last one ends it. */
  async cancelCells(id: number, { workspaceId, signal }: JobRun): Promise<void> {
    const { store, generations } = this.deps;
    for (;;) {
      const open = await store.openCells(id, CANCEL_AT_A_TIME);
      if (open.length === 0) return;
      for (const generationId of open) {
        signal.throwIfAborted();
        await generations.cancel({ workspaceId: workspaceId! }, generationId).catch(unlessEnded);
      }
    }
  }

  /**
   * Generates failed cells again, with the same inputs and parameters, at today's price. All or none.
   *
   * @param only the cells to retry; `null` for all failed cells
   * @throws DomainError `not_found`; `conflict` when no such cell has failed; as `create`
   */
  retry(actor: Actor, id: number, only: readonly number[] | null): Promise<void> {
    const { store, generations, urls, unitOfWork } = this.deps;
    const urlOf = (key: string) => urls.plainUrlOf(key);
    return unitOfWork.run(async () => {
      const batch = await this.#lock(actor, id);
      const state = stateAfter('retry', batch.state);
      const failed = await store.failedCells(id, only);
      if (failed.length === 0) throw new DomainError('conflict', 'no cell to retry has failed');
      const toPrepare = failed.map(({ cell, request }) => ({ cell, call: () => callOf(request, urlOf) }));
      const prepared = await prepareAll(actor, generations.withCaching(NO_SLOTS), toPrepare);
      const requests = prepared.map((request, index) => {
        return { ...request, requestedModel: failed[index]!.request.requestedModel };
      });
      const costs = requests.map(({ cost }) => cost);
      await this.#requireCredits(actor, requests);
      await store.detachCells(failed.map(({ generationId }) => generationId));
      const formerly = failed.map(({ request }) => request.cost);
      const cost = priceAfterRetry(batch.cost, formerly, costs);
      await store.save({ ...batch, state, cost, endedAt: null });
      await generations.acceptAll(actor, id, inBatch(id, toPrepare, requests), state === 'paused');
    });
  }

  #command(
    command: BatchCommand,
    { workspaceId }: Pick<Actor, 'workspaceId'>,
    id: number,
    effect: () => Promise<void>,
  ): Promise<void> {
    const { store, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const batch = await this.#lock({ workspaceId }, id);
      const state = stateAfter(command, batch.state);
      if (state === batch.state) return;
      await store.save({ ...batch, state });
      await effect();
    });
  }

  async #lock({ workspaceId }: Pick<Actor, 'workspaceId'>, id: number): Promise<Batch> {
    const batch = await this.deps.store.lock(id, workspaceId);
    if (!batch) throw notFound('batch');
    return batch;
  }

  /** Says how many cells the credits would pay for. The reservation decides. */
  async #requireCredits(actor: Actor, requests: readonly GenerationRequest[]): Promise<void> {
    const costs = requests.map(({ cost }) => cost);
    const cost = priceOf(costs);
    const { workspaceId, tokenId } = actor;
    for (const { budget, left, of } of await this.#limitsOf(actor)) {
      if (cost <= left) continue;
      const covered = coveredBy(costs, left);
      const cells = `${covered} of ${costs.length} cells`;
      const message = `the batch costs ${cost} credits, and ${of} ${left}: enough for ${cells}`;
      if (!budget) throw new DomainError('insufficient_credits', message);
      const refusal = new BudgetExceeded(budget, message);
      const at = this.deps.clock.now();
      const event = budgetEvent(refusal, { workspaceId, month: monthOf(at) }, { tokenId, customer: null }, at);
      await this.deps.events.recordApart(event);
      throw refusal;
    }
  }

  async #limitsOf({ workspaceId, plan, monthlyCredits, tokenId }: Actor) {
    const { ledger, credits, plans, tokens, clock } = this.deps;
    const month = monthOf(clock.now());
    const balance = await ledger.balance(workspaceId, month, planOf(plans, plan).monthlyCredits);
    const ofWorkspace = { budget: null, left: available(balance), of: 'the workspace has' } as const;
    if (monthlyCredits === null) return [ofWorkspace];
    const budgets = await tokens.budgets(tokenId);
    const used = await credits.usedOfBudgets(
      budgets.map((budget) => budget.tokenId),
      month,
    );
    const ofTokens = budgets.map((budget) => {
      const left = Math.max(0, budget.monthlyCredits - (used.get(budget.tokenId) ?? 0));
      return { budget: 'token', left, of: 'the budget of the API token has' } as const;
    });
    return [ofWorkspace, ...ofTokens];
  }
}

/** The call of a cell, with the custom data of the batch where it has none of its own. */
function inheriting(call: GenerateCall, { customer, metadata }: CustomData): GenerateCall {
  return { ...call, customer: call.customer ?? customer, metadata: call.metadata ?? metadata };
}

/** @throws DomainError `validation_failed` with the first wrong cells */
async function prepareAll(
  actor: Actor,
  generations: Pick<Generations, 'prepare'>,
  cells: readonly ToPrepare[],
): Promise<readonly GenerationRequest[]> {
  const requests: GenerationRequest[] = [];
  const wrong: WrongCell[] = [];
  for (const [index, { cell, call }] of cells.entries()) {
    if (index % CELLS_IN_A_TURN === 0) await new Promise<void>((resume) => setImmediate(resume));
    try {
      requests.push(await generations.prepare(actor, call()));
    } catch (error) {
      if (!isWrongCell(error)) throw error;
      wrong.push({ cell, error });
      if (wrong.length === MAX_WRONG_CELLS) break;
    }
  }
  if (wrong.length > 0) throw refusalOf(wrong, cells.length);
  return requests;
}

function inBatch(batchId: number, cells: readonly ToPrepare[], requests: readonly GenerationRequest[]) {
  return requests.map((request, index) => ({ ...request, batch: { batchId, cell: cells[index]!.cell } }));
}

/** A cell that has ended meanwhile needs no cancel. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof DomainError && ['conflict', 'not_found'].includes(error.code))) throw error;
}
