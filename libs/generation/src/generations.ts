import {
  costOf,
  parameterValues,
  resolveModel,
  takeCall,
  type GoneModels,
  type Model,
  type Models,
  type ParameterCheck,
} from '#catalogue';
import { BudgetExceeded, budgetEvent, monthOf, type CreditLedger } from '#credits';
import type { EventLog } from '#events';
import { scheduleFileDeletion, type Files, type StorageSpace, type StoredUrls } from '#files';
import { customDataFor, planOf, type Actor, type Plans, type TokenStore } from '#identity';
import {
  DomainError,
  invalidField,
  notFound,
  remembered,
  type BatchJobs,
  type Clock,
  type CustomData,
  type Jobs,
  type UnitOfWork,
} from '#kernel';
import type { Personas } from '#persona';
import {
  cancel,
  fail,
  isOpen,
  type EndedGeneration,
  type GenerationRequest,
  type OpenGeneration,
} from './domain/generation.ts';
import { endEvents } from './domain/end-events.ts';
import { assertCallable } from './domain/caller-webhook.ts';
import { inputSetOf, placesOf, type Placed } from './domain/input-set.ts';
import type { OutputReference } from './domain/lineage.ts';
import { withPreset } from './domain/preset.ts';
import { filledPrompt } from './domain/prompt-variables.ts';
import { fieldOf, resolveInputs, type Inputs, type InputSource, type SlotPictures } from './domain/resolve-inputs.ts';
import { mayUseStyle, resolveStyle, type TrainedStyle } from './domain/trained-style.ts';
import { generationErrorOf, personaDeleted, workspaceErased } from './failures.ts';
import {
  ProviderFailure,
  type CellEnds,
  type GenerationStore,
  type PersonaSlots,
  type PresetStore,
  type StyleStore,
} from './ports.ts';
import type { StylePreviews } from './style-previews.ts';

/** The request of a caller. */
export interface GenerateCall extends CustomData {
  /** Fills what the call leaves out. */
  readonly presetId: number | null;
  /** By name; they fill the prompt. `null`: the prompt of the call is taken as it is. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** The id or an alias of a model; empty when absent. */
  readonly model: string;
  readonly personaId: number | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** The id of a trained style, or `none`; `null` when absent. */
  readonly styleId: number | 'none' | null;
  /** A URL; `null` when absent, like all following fields. */
  readonly image: string | null;
  /** The fields `extra_image_1`, `extra_image_2`, and so on. */
  readonly extraImages: readonly (string | null)[];
  readonly maskImage: string | null;
  readonly controlImage: string | null;
  /** The output that it goes on from. */
  readonly parent: OutputReference | null;
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
  readonly models: Models;
  readonly goneModels: Pick<GoneModels, 'refused' | 'succeeded'>;
  readonly presets: Pick<PresetStore, 'find'>;
  readonly parameterCheck: ParameterCheck;
  readonly personaSlots: PersonaSlots;
  readonly personas: Pick<Personas, 'createDefault'>;
  readonly files: Pick<Files, 'resolve'>;
  readonly urls: Pick<StoredUrls, 'keyOf'>;
  /** Reports whether the service may call a URL, judged by its text. */
  readonly mayCall: (url: string) => boolean;
  readonly store: GenerationStore;
  readonly styles: Pick<StyleStore, 'ready' | 'complete'>;
  /** `null`: styles get no preview of their own. */
  readonly stylePreviews: Pick<StylePreviews, 'request'> | null;
  readonly batches: CellEnds;
  readonly events: EventLog;
  readonly ledger: CreditLedger;
  readonly plans: Plans;
  readonly tokens: Pick<TokenStore, 'budgets'>;
  readonly space: Pick<StorageSpace, 'requireSome'>;
  readonly jobs: Jobs & Pick<BatchJobs, 'announceAll'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Accepts, cancels and ends generations. `GenerationRuns` runs them. */
export class Generations {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Accepts a generation: resolves its inputs, reserves its cost and schedules its run.
   *
   * @throws DomainError `not_found` (the preset, the persona, the parent), `no_persona`, `validation_failed`, `slot_empty`,
   * `insufficient_credits`, `budget_exceeded`, `quota_exceeded`, `conflict` (the caller has left the workspace), `forbidden` (the
   * token is bound to another customer), and the errors of `takeCall` and `Files.resolve`
   */
  request(actor: Actor, call: GenerateCall): Promise<AcceptedCall> {
    return this.deps.unitOfWork.run(async () => {
      const request = await this.prepare(actor, call);
      return { ...request, id: call.dryRun ? null : await this.accept(actor, request) };
    });
  }

  /**
   * Prepares calls as `prepare` does. A persona, its styles, and a file that several calls name are read once.
   *
   * @param slots pictures that replace those of the persona's slots
   */
  withCaching(slots: SlotPictures | null = null): Pick<Generations, 'prepare'> {
    const { space, presets, personaSlots, personas, files, styles, store } = this.deps;
    const known = remembered(personaSlots);
    const given: PersonaSlots = {
      slotsOf: async (...place) => (await known.slotsOf(...place)) && (slots ?? known.slotsOf(...place)),
      firstPersonaOf: (...of) => known.firstPersonaOf(...of),
    };
    return new Generations({
      ...this.deps,
      space: remembered(space),
      presets: remembered(presets),
      personaSlots: given,
      personas: remembered(personas),
      files: remembered(files),
      styles: remembered(styles),
      store: remembered(store),
    });
  }

  /**
   * Checks a call and resolves its inputs. Must be called in a unit of work, which accepts the request.
   *
   * @throws DomainError as `request`, but for those of credits
   */
  async prepare(actor: Actor, asked: GenerateCall): Promise<GenerationRequest> {
    const { models, parameterCheck, clock } = this.deps;
    const customData = customDataFor(actor, asked);
    await this.deps.space.requireSome(actor.workspaceId);
    const call = await this.#completed(actor, asked);
    const persona = await this.#personaOf(actor, call);
    await this.#requireParent(actor, call);
    const createdAt = clock.now();
    const { model, fields } = takeCall(call, models, createdAt);
    if (model.kind === 'style') throw invalidField('model', `must make files: ${model.id} trains styles of personas`);
    const { webhook } = call;
    assertCallable(webhook, this.deps.mayCall);
    const parameters = parameterValues(model, fields, (values) => parameterCheck.problemsOf(model, values));
    const inputs = resolveInputs(model, { ...call, slots: persona.slots });
    return {
      workspaceId: actor.workspaceId,
      userId: actor.userId,
      personaId: persona.id,
      model: model.id,
      modelRevision: model.revision,
      requestedModel: call.model,
      kind: model.kind,
      prompt: call.prompt,
      parameters,
      inputs: await this.#lockFiles(actor.workspaceId, inputs, call),
      trainedStyle: await this.#styleOf(actor, call, model),
      parent: call.parent,
      batch: null,
      webhook,
      ...customData,
      cost: costOf(model, parameters),
      createdAt,
    };
  }

  /**
   * Adds a checked request, schedules its run and reserves its cost; last, to keep the lock on the workspace's balance
   * short. Must be called in a unit of work that has locked the files of the request.
   *
   * @returns the id of the generation
   * @throws DomainError `insufficient_credits`, `budget_exceeded`, `conflict` (the caller has left the workspace)
   */
  async accept(actor: Actor, request: GenerationRequest): Promise<number> {
    const { id: generationId } = await this.deps.store.add(request);
    const { workspaceId } = request;
    await this.deps.jobs.announce({ name: 'generation.run', payload: { generationId }, workspaceId });
    if (await this.#reserve(actor, [request], [generationId])) return generationId;
    throw new DomainError('insufficient_credits', `this call costs ${request.cost} credits, more than are left`);
  }

  /**
   * Accepts the cells of a batch by few statements, all or none, as `accept` does.
   *
   * @param isHeld whether their runs are scheduled later, by `schedule`
   * @returns the ids of the generations
   * @throws DomainError as `accept`
   */
  async acceptAll(actor: Actor, batchId: number, requests: readonly GenerationRequest[], isHeld: boolean) {
    const ids = await this.deps.store.addAll(requests);
    if (!isHeld) await this.schedule(actor.workspaceId, batchId, ids);
    if (await this.#reserve(actor, requests, ids)) return ids;
    throw new DomainError('insufficient_credits', 'the cells cost more credits than are left');
  }

  /** Schedules the runs of accepted cells of a batch. */
  schedule(workspaceId: number, batchId: number, ids: readonly number[]): Promise<void> {
    const payloads = ids.map((generationId) => ({ generationId }));
    return this.deps.jobs.announceAll('generation.run', payloads, workspaceId, { batchId });
  }

  /** Reserves the costs of requests that were accepted at the same time. @returns whether there are enough credits */
  async #reserve(actor: Actor, requests: readonly GenerationRequest[], ids: readonly number[]): Promise<boolean> {
    const { ledger, plans, tokens } = this.deps;
    const { workspaceId, userId, createdAt } = requests[0]!;
    const budgets = actor.monthlyCredits === null ? [] : await tokens.budgets(actor.tokenId);
    const common = { workspaceId, userId, month: monthOf(createdAt), budgets };
    const costs = requests.map(({ cost: amount, customer }, index) => {
      return { ...common, generationId: ids[index]!, amount, customer };
    });
    try {
      return (await ledger.reserveAll(costs, planOf(plans, actor.plan).monthlyCredits)) === 'reserved';
    } catch (error) {
      if (error instanceof BudgetExceeded) {
        const [customer = null, ...others] = new Set(requests.map((request) => request.customer));
        const spender = { tokenId: actor.tokenId, customer: others.length > 0 ? null : customer };
        await this.deps.events.recordApart(budgetEvent(error, common, spender, createdAt));
      }
      throw error;
    }
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
      const isEnded = await this.end(generation, fail(generation, generationErrorOf(reason), clock.now()));
      if (isEnded && reason instanceof ProviderFailure && reason.isModelUnknown) await this.#modelUnknown(generation);
    });
  }

  async #modelUnknown({ request }: OpenGeneration): Promise<void> {
    const { models, goneModels } = this.deps;
    const model = await models.acceptedAs(request);
    if (model) await goneModels.refused(model, request.userId);
  }

  /** Fails the open generations of a deleted persona. */
  endOfPersona(personaId: number, signal: AbortSignal): Promise<void> {
    return this.#failAll({ personaId }, personaDeleted(), signal);
  }

  /** Fails the open generations of a workspace that is erased. */
  endOfWorkspace(workspaceId: number, signal: AbortSignal): Promise<void> {
    return this.#failAll({ workspaceId }, workspaceErased(), signal);
  }

  async #failAll(place: Parameters<GenerationStore['openOf']>[0], reason: unknown, signal: AbortSignal): Promise<void> {
    for (let open = await this.deps.store.openOf(place); open.length > 0;) {
      for (const id of open) {
        signal.throwIfAborted();
        await this.fail(id, reason);
      }
      open = await this.deps.store.openOf(place);
    }
  }

  /**
   * Ends a generation: charges or releases its credits and records its event. All ends of generations pass through
   * here, and `store.save` lets only one of them take effect: credits are charged or released exactly once. Must be
   * called in a unit of work.
   *
   * @returns false, without effect, when the generation has already ended or a later run has claimed it
   */
  async end(open: OpenGeneration, ended: EndedGeneration): Promise<boolean> {
    const { store, ledger, jobs, styles, stylePreviews } = this.deps;
    const saved = await store.save(ended);
    if (!saved) return false;
    const { batch } = open.request;
    if (batch) await this.deps.batches.cellEnded(batch.batchId, ended.finishedAt);
    await (ended.state === 'succeeded' ? ledger.charge(ended.id, ended.cost) : ledger.release(ended.id));
    if (ended.state === 'succeeded') await this.deps.goneModels.succeeded(open.request);
    const { workspaceId, inputs, trainedStyle } = open.request;
    if (ended.state === 'succeeded' && ended.styleFileId !== null) {
      await styles.complete(trainedStyle!.id, ended.styleFileId);
      await stylePreviews?.request(open.request);
    }
    if (saved.hasToCancel) {
      await jobs.announce({ name: 'submission.cancel', payload: { generationId: ended.id }, workspaceId });
    }
    const fileIds = placesOf(inputs).map(({ picture }) => picture.fileId);
    await scheduleFileDeletion(jobs, workspaceId, [...fileIds, trainedStyle?.weights?.fileId ?? null]);
    await this.deps.events.record(...endEvents(open.request, ended));
    return true;
  }

  /** The call with what its preset fills, and with the variables of its prompt. */
  async #completed({ workspaceId }: Actor, call: GenerateCall): Promise<GenerateCall> {
    const { models, presets, clock } = this.deps;
    const { presetId, variables } = call;
    if (presetId === null) return variables ? { ...call, prompt: filledPrompt(call.prompt, variables) } : call;
    const preset = await presets.find(workspaceId, presetId);
    if (!preset) throw notFound('preset');
    const entryOf = (name: string) => resolveModel(name, models, clock.now()).entry;
    const ofPreset = entryOf(preset.model);
    const completed = withPreset(call, preset, entryOf(call.model) === ofPreset);
    if (call.model === '' && !ofPreset) {
      throw invalidField(
        'preset_id',
        `has the model ${preset.model}, which is gone: send a model, or change the preset`,
      );
    }
    if (completed.personaId === preset.personaId && call.personaId === null && !preset.hasPersona) {
      throw invalidField('preset_id', 'has a persona that was deleted: send a pid, or change the preset');
    }
    const isItsPrompt = !Object.hasOwn(call.fields, 'prompt');
    if (!isItsPrompt && !variables) return completed;
    return { ...completed, prompt: filledPrompt(completed.prompt, variables ?? {}) };
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

  /** The parent exists before the generation and never changes: a generation is no ancestor of itself. */
  async #requireParent({ workspaceId }: Actor, { parent }: GenerateCall): Promise<void> {
    if (parent === null) return;
    const isShown = await this.deps.store.hasOutput(workspaceId, parent);
    if (isShown === null) throw notFound('parent');
    if (isShown) return;
    const { generationId, output } = parent;
    throw invalidField('parent', `must be an output that exists: generation ${generationId} has no output ${output}`);
  }

  async #styleOf(
    { workspaceId }: Actor,
    { personaId, styleTransfer, styleId }: GenerateCall,
    model: Model,
  ): Promise<TrainedStyle | null> {
    const request = { hasPersona: personaId !== null, styleTransfer, styleId };
    if (!mayUseStyle(model, request)) return null;
    const ready = personaId === null ? [] : await this.deps.styles.ready(workspaceId, personaId);
    return resolveStyle(model, request, ready);
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
}
