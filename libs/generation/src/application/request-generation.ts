import { monthOf, type CreditLedger } from '#credits';
import { planOf, type Actor, type Plans } from '#identity';
import { DomainError, invalidField, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { AdoptFile } from '#files';
import type { GenerationRequest } from '../domain/generation.ts';
import type { ModelCatalog } from '../domain/model-catalog.ts';
import { costOf, parameterValues } from '../domain/parameters.ts';
import { resolveInputs, type Inputs, type InputSource, type SlotPictures } from '../domain/resolve-inputs.ts';
import type { Generations } from '../ports/generations.ts';
import type { PersonaSlots } from '../ports/persona-slots.ts';

/** What a caller asks for. */
export interface GenerateCall {
  readonly model: string;
  readonly personaId: number | null;
  /** `persona`, `none` or a URL; `null` when absent. */
  readonly styleTransfer: string | null;
  /** A URL; `null` when absent. */
  readonly image: string | null;
  readonly prompt: string | null;
  /** All fields of the request, for those that the model declares. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Only to learn what would be done, at what cost. */
  readonly dryRun: boolean;
}

/** The answer to a call: what will be done, or for a dry run (then without an id) what would be. */
export type AcceptedCall = GenerationRequest & { readonly id: number | null };

/** Accepts a generation: resolves its inputs, reserves its cost, and leaves the rest to the worker. */
export class RequestGeneration {
  readonly #models: ModelCatalog;
  readonly #personaSlots: PersonaSlots;
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #generations: Generations;
  readonly #ledger: CreditLedger;
  readonly #plans: Plans;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    models: ModelCatalog,
    personaSlots: PersonaSlots,
    adoptFile: Pick<AdoptFile, 'run'>,
    generations: Generations,
    ledger: CreditLedger,
    plans: Plans,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#models = models;
    this.#personaSlots = personaSlots;
    this.#adoptFile = adoptFile;
    this.#generations = generations;
    this.#ledger = ledger;
    this.#plans = plans;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * @throws DomainError `not_found` (the persona), `no_persona`, `validation_failed`, `slot_empty`,
   * `insufficient_credits`, `conflict` (the caller has left the workspace), and what `AdoptFile` refuses
   */
  run(actor: Actor, call: GenerateCall): Promise<AcceptedCall> {
    return this.#unitOfWork.run(async () => {
      const persona = await this.#personaOf(actor, call);
      const model = this.#models.get(call.model);
      const parameters = parameterValues(model, call.fields);
      const inputs = resolveInputs(model, { ...call, slots: persona.slots });
      const request: GenerationRequest = {
        workspaceId: actor.workspaceId,
        userId: actor.userId,
        personaId: persona.id,
        model: model.id,
        kind: model.kind,
        prompt: call.prompt,
        parameters,
        inputs: await this.#adopted(actor.workspaceId, inputs),
        cost: costOf(model, parameters),
        createdAt: this.#clock.now(),
      };
      return { ...request, id: call.dryRun ? null : await this.#accept(actor, request) };
    });
  }

  /** The persona that gets the outputs, and its slots where the call names it. */
  async #personaOf(
    { workspaceId, userId }: Actor,
    { personaId }: GenerateCall,
  ): Promise<{ readonly id: number; readonly slots: SlotPictures | null }> {
    if (personaId !== null) {
      const slots = await this.#personaSlots.of(workspaceId, personaId);
      if (!slots) throw notFound('persona');
      return { id: personaId, slots };
    }
    const id = await this.#personaSlots.firstOf(workspaceId, userId);
    if (id === null) {
      throw new DomainError('no_persona', 'make a persona first: outputs are kept as its files');
    }
    return { id, slots: null };
  }

  /** Holds the files of the workspace that the call names. */
  async #adopted(workspaceId: number, inputs: Inputs): Promise<Inputs> {
    return {
      image: await this.#adopt(workspaceId, 'image', inputs.image),
      styleReference: await this.#adopt(workspaceId, 'style_transfer', inputs.styleReference),
    };
  }

  async #adopt(workspaceId: number, field: string, source: InputSource | null): Promise<InputSource | null> {
    if (!source || source.fileId !== null) return source;
    const file = await this.#adoptFile.run({ workspaceId, url: source.url });
    if (file && !file.contentType.startsWith('image/')) throw invalidField(field, 'must be a picture');
    return { url: source.url, fileId: file?.id ?? null };
  }

  /** The balance comes last: its row is what calls of one workspace wait for. */
  async #accept(actor: Actor, request: GenerationRequest): Promise<number> {
    const { id: generationId, request: accepted } = await this.#generations.add(request);
    await this.#jobs.announce({ name: 'generation.run', payload: { generationId } });
    const { workspaceId, userId, cost: amount, createdAt } = accepted;
    const outcome = await this.#ledger.reserve(
      { workspaceId, userId, generationId, month: monthOf(createdAt), amount },
      planOf(this.#plans, actor.plan).monthlyCredits,
    );
    if (outcome === 'insufficient') {
      throw new DomainError('insufficient_credits', `this call costs ${amount} credits, more than are left`);
    }
    return generationId;
  }
}
