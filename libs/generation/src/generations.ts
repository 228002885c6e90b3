import { monthOf, type CreditLedger } from '#credits';
import { scheduleFileDeletion, type Files, type StorageSpace, type StoredUrls } from '#files';
import { planOf, type Actor, type Plans, type TokenStore } from '#identity';
import { DomainError, invalidField, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Personas } from '#persona';
import {
  cancel,
  fail,
  isOpen,
  type EndedGeneration,
  type GenerationRequest,
  type OpenGeneration,
} from './domain/generation.ts';
import { inputSetOf, placesOf, type Placed } from './domain/input-set.ts';
import type { ModelCatalog } from './domain/model.ts';
import { costOf, parameterValues } from './domain/parameters.ts';
import { fieldOf, resolveInputs, type Inputs, type InputSource, type SlotPictures } from './domain/resolve-inputs.ts';
import { generationErrorOf, personaDeleted } from './failures.ts';
import type { CallerWebhooks, GenerationStore, ParameterCheck, PersonaSlots } from './ports.ts';

/** The request of a caller. */
export interface GenerateCall {
  readonly model: string;
  readonly personaId: number | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** A URL; `null` when absent, like all following fields. */
  readonly image: string | null;
  /** The fields `extra_image_1`, `extra_image_2`, and so on. */
  readonly extraImages: readonly (string | null)[];
  readonly maskImage: string | null;
  readonly controlImage: string | null;
  readonly webhook: string | null;
  readonly prompt: string | null;
  /** All fields of the request, including those that only the model declares. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Only computes inputs and cost. */
  readonly dryRun: boolean;
}

/** An accepted request; a dry run has no id. */
export type AcceptedCall = GenerationRequest & { readonly id: number | null };

interface Collaborators {
  readonly models: ModelCatalog;
  readonly parameterCheck: ParameterCheck;
  readonly personaSlots: PersonaSlots;
  readonly personas: Pick<Personas, 'createDefault'>;
  readonly files: Pick<Files, 'resolve'>;
  readonly urls: Pick<StoredUrls, 'keyOf'>;
  /** Whether the service may call a URL, judged by its text. */
  readonly mayCall: (url: string) => boolean;
  readonly store: GenerationStore;
  readonly webhooks: CallerWebhooks;
  readonly ledger: CreditLedger;
  readonly plans: Plans;
  readonly tokens: Pick<TokenStore, 'budgets'>;
  readonly space: Pick<StorageSpace, 'requireSome'>;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Accepts, cancels and ends generations. `GenerationRuns` runs them. */
export class Generations {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Accepts a generation: resolves its inputs, reserves its cost and schedules its run.
   *
   * @throws DomainError `not_found` (the persona), `no_persona`, `validation_failed`, `slot_empty`,
   * `insufficient_credits`, `budget_exceeded`, `quota_exceeded`, `conflict` (the caller has left the workspace), and the errors of
   * `Files.resolve`
   */
  request(actor: Actor, call: GenerateCall): Promise<AcceptedCall> {
    const { parameterCheck } = this.deps;
    return this.deps.unitOfWork.run(async () => {
      await this.deps.space.requireSome(actor.workspaceId);
      const persona = await this.#personaOf(actor, call);
      const model = this.deps.models.get(call.model);
      const { webhook } = call;
      if (webhook !== null && !this.deps.mayCall(webhook))
        throw invalidField('webhook', 'must be at a public host, on port 80 or 443, without credentials');
      const parameters = parameterValues(model, call.fields, (values) => parameterCheck.problemsOf(model, values));
      const inputs = resolveInputs(model, { ...call, slots: persona.slots });
      const request: GenerationRequest = {
        workspaceId: actor.workspaceId,
        userId: actor.userId,
        personaId: persona.id,
        model: model.id,
        kind: model.kind,
        prompt: call.prompt,
        parameters,
        inputs: await this.#lockFiles(actor.workspaceId, inputs, call),
        webhook,
        cost: costOf(model, parameters),
        createdAt: this.deps.clock.now(),
      };
      return { ...request, id: call.dryRun ? null : await this.#accept(actor, request) };
    });
  }

  /**
   * Cancels an open generation and releases its credits. Its run stops within a second. Has no effect on a canceled
   * generation.
   *
   * @throws DomainError `not_found`; `conflict` when the generation has succeeded or failed
   */
  cancel({ workspaceId }: Pick<Actor, 'workspaceId'>, generationId: number): Promise<void> {
    const { store, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const generation = await store.lock(generationId, workspaceId);
      if (!generation) throw notFound('generation');
      if (generation.state === 'canceled') return;
      if (!isOpen(generation)) {
        throw new DomainError('conflict', `the generation has ${generation.state} already`);
      }
      await this.end(generation, cancel(generation, clock.now()));
    });
  }

  /** Fails a generation whose job has failed. Without effect on a generation that has ended. */
  fail(generationId: number, reason: unknown): Promise<void> {
    const { store, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const generation = await store.lock(generationId);
      if (!generation || !isOpen(generation)) return;
      await this.end(generation, fail(generation, generationErrorOf(reason), clock.now()));
    });
  }

  /** Fails the open generations of a deleted persona. */
  async endOfPersona(personaId: number, signal: AbortSignal): Promise<void> {
    for (let open = await this.deps.store.openOf(personaId); open.length > 0;) {
      for (const id of open) {
        signal.throwIfAborted();
        await this.fail(id, personaDeleted());
      }
      open = await this.deps.store.openOf(personaId);
    }
  }

  /**
   * Ends a generation: charges or releases its credits and schedules its webhook. All ends of generations pass through
   * here, and `store.save` lets only one of them take effect: credits are charged or released exactly once. Must be
   * called in a unit of work.
   *
   * @returns false, without effect, when the generation has already ended or a later run has claimed it
   */
  async end(open: OpenGeneration, ended: EndedGeneration): Promise<boolean> {
    const { store, ledger, jobs, webhooks } = this.deps;
    const saved = await store.save(ended);
    if (!saved) return false;
    await (ended.state === 'succeeded' ? ledger.charge(ended.id, ended.cost) : ledger.release(ended.id));
    const { workspaceId, inputs, webhook: url } = open.request;
    if (saved.hasToCancel) {
      await jobs.announce({ name: 'submission.cancel', payload: { generationId: ended.id }, workspaceId });
    }
    const fileIds = placesOf(inputs).map(({ picture }) => picture.fileId);
    await scheduleFileDeletion(jobs, workspaceId, fileIds);
    if (url === null) return true;
    await webhooks.schedule({ workspaceId, generationId: ended.id, url, createdAt: ended.finishedAt });
    return true;
  }

  /** The persona of the outputs, and its slots when the call names it. A dry run without `pid` has no persona. */
  async #personaOf(
    actor: Actor,
    { personaId, dryRun }: GenerateCall,
  ): Promise<{ readonly id: number | null; readonly slots: SlotPictures | null }> {
    const { personaSlots, personas } = this.deps;
    const { workspaceId, userId } = actor;
    if (personaId !== null) {
      const slots = await personaSlots.slotsOf(workspaceId, personaId);
      if (!slots) throw notFound('persona');
      return { id: personaId, slots };
    }
    if (dryRun) return { id: null, slots: null };
    let id = await personaSlots.firstPersonaOf(workspaceId, userId);
    if (id === null) {
      await personas.createDefault(actor);
      id = await personaSlots.firstPersonaOf(workspaceId, userId);
    }
    if (id !== null) return { id, slots: null };
    throw new DomainError('no_persona', 'your persona was deleted meanwhile: send the request again');
  }

  /** Locks the workspace's files that the call names by URL. The files in slots are locked already. */
  async #lockFiles(workspaceId: number, inputs: Inputs, call: GenerateCall): Promise<Inputs> {
    const locked: Placed<InputSource>[] = [];
    for (const place of placesOf(inputs)) {
      locked.push({ ...place, picture: await this.#lockFile(workspaceId, fieldOf(place, call), place.picture) });
    }
    return inputSetOf(locked);
  }

  async #lockFile(workspaceId: number, field: string, source: InputSource): Promise<InputSource> {
    if ('key' in source) return source;
    const { url } = source;
    const file = await this.deps.files.resolve({ workspaceId, url });
    if (!file) return source;
    if (!file.contentType.startsWith('image/')) throw invalidField(field, 'must be a picture');
    // A temporary file resolves to its permanent copy; responses show the URL of the request.
    return { key: this.deps.urls.keyOf(url) ?? file.key, fileId: file.id };
  }

  /** Reserves last, to keep the lock on the workspace's balance short. */
  async #accept(actor: Actor, request: GenerationRequest): Promise<number> {
    const { store, jobs, ledger, plans, tokens } = this.deps;
    const { id: generationId } = await store.add(request);
    await jobs.announce({ name: 'generation.run', payload: { generationId }, workspaceId: actor.workspaceId });
    const { workspaceId, userId, cost: amount, createdAt } = request;
    const budgets = actor.monthlyCredits === null ? [] : await tokens.budgets(actor.tokenId);
    const outcome = await ledger.reserve(
      { workspaceId, userId, generationId, month: monthOf(createdAt), amount, budgets },
      planOf(plans, actor.plan).monthlyCredits,
    );
    if (outcome === 'reserved') return generationId;
    throw new DomainError('insufficient_credits', `this call costs ${amount} credits, more than are left`);
  }
}
