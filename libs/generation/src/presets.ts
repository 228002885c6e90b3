import type { AuditLog } from '#audit-log';
import { takeCall, type Models, type ParameterCheck } from '#catalogue';
import type { StoredUrls } from '#files';
import { assertMay, type Actor } from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import type { PersonaStore } from '#persona';
import {
  checkAmong,
  checkedForModel,
  checkedPresetName,
  checkPresetPrompt,
  type Preset,
  type PresetContent,
} from './domain/preset.ts';
import type { PresetStore } from './ports.ts';

/** A caller's preset: the parameters are not checked yet. */
export type PresetRequest = Omit<PresetContent, 'parameters'> & { readonly parameters: object };

type Changing = Pick<Actor, 'workspaceId' | 'userId' | 'role'>;

/** Settings of calls that are saved under a name. Every member uses them. */
export class Presets {
  constructor(
    private readonly deps: {
      readonly models: Models;
      readonly parameterCheck: ParameterCheck;
      readonly presets: PresetStore;
      readonly personas: Pick<PersonaStore, 'lock'>;
      readonly urls: Pick<StoredUrls, 'identityOf'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * @returns the id
   * @throws DomainError `validation_failed`, `not_found` (the persona), `conflict` (the name is taken, or there are too many)
   */
  create({ workspaceId, userId }: Changing, request: PresetRequest): Promise<number> {
    const { presets, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const others = await presets.lockAll(workspaceId);
      const content = await this.#checked(workspaceId, request, request);
      checkAmong(others, content.name);
      return presets.add({ ...content, workspaceId, createdBy: userId, createdAt: clock.now() });
    });
  }

  /**
   * Changes the given fields. What stays as it is is not checked again: a preset whose model is gone can be renamed.
   *
   * @throws DomainError `not_found`, `forbidden`, `validation_failed`, `conflict` (the name is taken)
   */
  update(actor: Changing, id: number, changes: Partial<PresetRequest>): Promise<void> {
    const { presets, unitOfWork, clock } = this.deps;
    const { workspaceId } = actor;
    return unitOfWork.run(async () => {
      const all = await presets.lockAll(workspaceId);
      const preset = existing(all, id);
      assertMay('preset.update', actor, preset);
      const content = await this.#checked(workspaceId, { ...preset, ...changes }, changes);
      checkAmong(
        all.filter((other) => other.id !== id),
        content.name,
      );
      await presets.update(id, content, clock.now());
    });
  }

  /** @throws DomainError `not_found`, `forbidden` */
  delete(actor: Changing, id: number): Promise<void> {
    const { auditLog, presets, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      assertMay('preset.delete', actor, existing(await presets.lockAll(actor.workspaceId), id));
      await auditLog.record({ action: 'preset.delete', target: id, details: {} });
      await presets.remove(id);
    });
  }

  /** @param changes the fields to check */
  async #checked(workspaceId: number, request: PresetRequest, changes: Partial<PresetRequest>): Promise<PresetContent> {
    const { models, parameterCheck, personas, urls, clock } = this.deps;
    const { model, prompt, personaId } = request;
    // A signature expires, and a preset does not: it keeps none.
    const styleTransfer = request.styleTransfer && urls.identityOf(request.styleTransfer);
    const isChanged = (...names: (keyof PresetRequest)[]) => names.some((each) => changes[each] !== undefined);
    if (isChanged('personaId') && personaId !== null && !(await personas.lock(workspaceId, personaId))) {
      throw notFound('persona');
    }
    if (isChanged('prompt')) checkPresetPrompt(prompt);
    let parameters = request.parameters as PresetContent['parameters'];
    if (isChanged('model', 'parameters', 'styleTransfer')) {
      const taken = takeCall({ model, fields: request.parameters }, models, clock.now());
      const problemsOf = (values: PresetContent['parameters']) => parameterCheck.problemsOf(taken.model, values);
      parameters = checkedForModel(taken.model, { parameters: taken.fields, styleTransfer }, problemsOf);
    }
    return { name: checkedPresetName(request.name), model, prompt, parameters, personaId, styleTransfer };
  }
}

function existing(all: readonly Preset[], id: number): Preset {
  const preset = all.find((each) => each.id === id);
  if (!preset) throw notFound('preset');
  return preset;
}
