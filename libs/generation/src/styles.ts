import type { AuditLog } from '#audit-log';
import { costOf, parameterValues, takeCall, type Models, type ParameterCheck } from '#catalogue';
import { scheduleFileDeletion, type StorageSpace } from '#files';
import { customDataFor, type Actor } from '#identity';
import { DomainError, invalidField, NO_CUSTOM_DATA, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { PersonaStore } from '#persona';
import { assertCallable } from './domain/caller-webhook.ts';
import type { GenerationRequest } from './domain/generation.ts';
import { inputSetOf } from './domain/input-set.ts';
import { checkedStyleName, newTrigger, picturesToTrain, type TrainingPicture } from './domain/trained-style.ts';
import type { AcceptedCall, Generations } from './generations.ts';
import type { PersonaPictures, StyleId, StyleStore } from './ports.ts';

/** The request to train a style. */
export interface TrainCall {
  readonly personaId: number;
  /** A model of the kind `style`. */
  readonly model: string;
  /** `null` for a name of our own. */
  readonly name: string | null;
  /** Ids of trainings, also of likes; `null` for the filled slots 1 to 6. */
  readonly pictures: readonly number[] | null;
  /** The URL to call once the training has ended. */
  readonly webhook: string | null;
  /** All fields of the request, including those that only the model declares. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Only computes inputs and cost. */
  readonly dryRun: boolean;
}

interface Collaborators {
  readonly models: Models;
  readonly parameterCheck: ParameterCheck;
  readonly styles: StyleStore;
  readonly personas: Pick<PersonaStore, 'touch'>;
  readonly generations: Pick<Generations, 'accept' | 'cancel'>;
  readonly space: Pick<StorageSpace, 'requireSome'>;
  /** Reports whether a URL may be called once a training has ended. */
  readonly mayCall: (url: string) => boolean;
  readonly jobs: Jobs;
  readonly auditLog: Pick<AuditLog, 'record'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** The trained styles of personas. The training of a style is a generation. */
export class Styles {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Accepts the training of a style on the pictures as they are now.
   *
   * @returns the id of the style, and its generation; both without ids for a dry run
   * @throws DomainError `not_found`, `validation_failed`, `slot_empty`, and the errors of `Generations.accept`
   */
  train(actor: Actor, call: TrainCall): Promise<{ readonly styleId: number | null; readonly accepted: AcceptedCall }> {
    const { models, mayCall, parameterCheck, generations, space, styles, unitOfWork, clock } = this.deps;
    const { workspaceId, userId } = actor;
    return unitOfWork.run(async () => {
      await space.requireSome(workspaceId);
      const { personaId } = call;
      const found = await styles.picturesOf(workspaceId, personaId, call.pictures ?? []);
      if (!found) throw notFound('persona');
      const createdAt = clock.now();
      const { model, fields } = takeCall(call, models, createdAt);
      if (model.kind !== 'style') throw invalidField('model', `must be of the kind style: ${model.id} makes files`);
      assertCallable(call.webhook, mayCall);
      const pictures = picturesToTrain(model, found.slots, call.pictures && picturesNamed(call.pictures, found));
      const parameters = parameterValues(model, fields, (values) => parameterCheck.problemsOf(model, values));
      const name = checkedStyleName(call.name ?? nameAt(createdAt));
      const style = { workspaceId, personaId, name, model: model.id, family: model.family, pictures, createdAt };
      const trigger = newTrigger(randomBelow);
      const styleId = call.dryRun ? null : await styles.add({ ...style, trigger });
      const request: GenerationRequest = {
        ...{ workspaceId, userId, personaId, createdAt, parameters },
        ...customDataFor(actor, NO_CUSTOM_DATA),
        model: model.id,
        modelRevision: model.revision,
        requestedModel: call.model,
        kind: model.kind,
        prompt: null,
        inputs: inputsOf(pictures),
        trainedStyle: styleId === null ? null : { id: styleId, name, trigger, weights: null },
        parent: null,
        batch: null,
        webhook: call.webhook,
        cost: costOf(model, parameters),
      };
      const id = call.dryRun ? null : await generations.accept(actor, request);
      return { styleId, accepted: { ...request, id } };
    });
  }

  /** @throws DomainError `not_found`, `validation_failed` */
  rename(id: StyleId, name: string): Promise<void> {
    return this.#change(id, ({ styleId }) => this.deps.styles.rename(styleId, checkedStyleName(name)));
  }

  /**
   * Deletes a style with its weights, and cancels its training. Generations under way keep the weights until they end.
   *
   * @throws DomainError `not_found`
   */
  delete(id: StyleId): Promise<void> {
    const { auditLog, clock, generations, jobs, styles } = this.deps;
    return this.#change(id, async ({ workspaceId, styleId }, { isReady, generationId }) => {
      if (!isReady) await generations.cancel({ workspaceId }, generationId).catch(unlessEnded);
      await scheduleFileDeletion(jobs, workspaceId, await styles.remove(styleId, clock.now()));
      await auditLog.record({ action: 'style.delete', target: styleId, details: {} });
    });
  }

  /**
   * Makes a ready style the one that the persona uses by default; with `null`, none.
   *
   * @throws DomainError `not_found`; `conflict` when the style is not ready
   */
  activate(workspaceId: number, personaId: number, styleId: number | null): Promise<void> {
    const { clock, personas, styles, unitOfWork } = this.deps;
    if (styleId === null) {
      return unitOfWork.run(async () => {
        if (!(await personas.touch(workspaceId, personaId, clock.now()))) throw notFound('persona');
        await styles.activate(personaId, null);
      });
    }
    return this.#change({ workspaceId, personaId, styleId }, async (_, { isReady }) => {
      if (!isReady) throw new DomainError('conflict', 'the style is not ready: its training has not succeeded');
      await styles.activate(personaId, styleId);
    });
  }

  /** Locks the persona first, as the end of a training does. */
  #change(
    id: StyleId,
    change: (id: StyleId, style: NonNullable<Awaited<ReturnType<StyleStore['lock']>>>) => Promise<void>,
  ): Promise<void> {
    const { clock, personas, styles, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      if (!(await personas.touch(id.workspaceId, id.personaId, clock.now()))) throw notFound('persona');
      const style = await styles.lock(id);
      if (!style) throw notFound('style');
      await change(id, style);
    });
  }
}

/** @throws DomainError `validation_failed` for an id that is not a usable picture of the persona */
function picturesNamed(ids: readonly number[], { named }: PersonaPictures): readonly TrainingPicture[] {
  if (new Set(ids).size < ids.length) throw invalidField('pictures', 'must not name a picture twice');
  return ids.map((id) => {
    const picture = named.find(({ trainingId }) => trainingId === id);
    const isUsable = picture && (picture.contentType === null || picture.contentType.startsWith('image/'));
    if (!isUsable) throw invalidField('pictures', `must be trainings of the persona with usable pictures: not ${id}`);
    return picture;
  });
}

function inputsOf(pictures: readonly TrainingPicture[]): GenerationRequest['inputs'] {
  const places = pictures.map(({ source: picture }, index) => ({ input: 'pictures', position: index + 1, picture }));
  return inputSetOf(places as Parameters<typeof inputSetOf<TrainingPicture['source']>>[0]);
}

function nameAt(time: Date): string {
  return `Style of ${time.toISOString().slice(0, 10)}`;
}

/** A training that has failed or was canceled leaves a style without weights. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
}

/** A random whole number from 0 to `below - 1`, evenly enough for small numbers. */
function randomBelow(below: number): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! % below;
}
