import { livingModels, parameterValues, type Models, type ParameterCheck } from '#catalogue';
import { monthOf, type CreditLedger } from '#credits';
import { DomainError, type Clock, type Jobs } from '#kernel';
import type { GenerationRequest } from './domain/generation.ts';
import { inputSetOf } from './domain/input-set.ts';
import { previewModel, PREVIEW_PROMPT } from './domain/trained-style.ts';
import type { GenerationStore, StyleStore } from './ports.ts';

interface Collaborators {
  readonly models: Pick<Models, 'all' | 'gone'>;
  readonly parameterCheck: ParameterCheck;
  readonly store: Pick<GenerationStore, 'add'>;
  readonly styles: Pick<StyleStore, 'ready'>;
  readonly ledger: Pick<CreditLedger, 'reserve'>;
  readonly jobs: Jobs;
  readonly clock: Clock;
}

/** Makes a first picture with each new style, where the operator has switched that on. It costs no credits. */
export class StylePreviews {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Adds the generation of a preview, by the cheapest model of the style's family. Without effect when there is no model
   * for it, or when the person who trained the style has left the workspace. Must be called in the unit of work that ends
   * the training.
   */
  async request({
    workspaceId,
    userId,
    personaId,
    trainedStyle,
    customer,
    metadata,
  }: GenerationRequest): Promise<void> {
    const { models, parameterCheck, store, styles, ledger, jobs, clock } = this.deps;
    const ready = await styles.ready(workspaceId, personaId!);
    const style = ready.find(({ id }) => id === trainedStyle!.id);
    const createdAt = clock.now();
    const model = style && previewModel(livingModels(models, createdAt), style.family);
    if (!model) return;
    const request: GenerationRequest = {
      ...{ workspaceId, userId, personaId, customer, metadata, createdAt },
      model: model.id,
      modelRevision: model.revision,
      requestedModel: model.id,
      kind: model.kind,
      prompt: PREVIEW_PROMPT,
      parameters: parameterValues(model, {}, (values) => parameterCheck.problemsOf(model, values)),
      inputs: inputSetOf([]),
      trainedStyle: style,
      parent: null,
      batch: null,
      webhook: null,
      cost: 0,
    };
    const added = await store.add(request).catch(unlessLeft);
    if (!added) return;
    const generationId = added.id;
    await jobs.announce({ name: 'generation.run', payload: { generationId }, workspaceId });
    await ledger.reserve({ workspaceId, userId, generationId, month: monthOf(createdAt), amount: 0 }, 0);
  }
}

function unlessLeft(error: unknown): null {
  if (error instanceof DomainError && error.code === 'conflict') return null;
  throw error;
}
