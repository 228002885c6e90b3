import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { Models } from '#catalogue';
import { StoredUrls, type IssuedUrls } from '#files';
import { Presets, type PresetView, type PresetViews } from '#generation';
import type { Actor } from '#identity';
import { notFound, type Clock, type PageRequest } from '#kernel';
import { clock, models, presetViews } from '#wiring';
import {
  CurrentActor,
  CurrentUrls,
  ExistenceChecks,
  Existing,
  listOf,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  Responds,
} from '../http/index.ts';
import {
  CreatePresetRequest,
  presetChanges,
  PresetDto,
  presetDto,
  PresetResponse,
  PresetsResponse,
  UpdatePresetRequest,
} from './preset.dto.ts';

@Controller('v2/presets')
export class PresetsController {
  constructor(
    @Inject(Presets) private readonly presets: Presets,
    @Inject(presetViews) private readonly views: PresetViews,
    @Inject(models) private readonly catalogue: Models,
    @Inject(clock) private readonly clock: Clock,
    @Inject(StoredUrls) private readonly stored: StoredUrls,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
  ) {
    checks.register('preset', async ({ workspaceId }, id) => (await views.find(workspaceId, id)) !== null);
  }

  @Get()
  @Responds(200, PresetsResponse, {
    id: 'presets.list',
    summary: 'List presets',
    description:
      'Lists the presets of the workspace, newest first. Returns each with its variables, and with what it refers to ' +
      'that is gone.',
  })
  async list(@CurrentActor() { workspaceId }: Actor, @CurrentUrls() urls: IssuedUrls, @PageQuery() page: PageRequest) {
    return listOf('presets', await this.views.list(workspaceId, page), (each) => this.#dtoOf(each, urls));
  }

  @Post()
  @Responds(201, PresetResponse, {
    id: 'presets.create',
    summary: 'Save a preset',
    description:
      'Saves settings of `POST /v2/generate` under a name, for all members; a workspace has at most 200. Returns the ' +
      'preset. What the model requires may be left to the calls that use it.',
    errors: ['not_found', 'conflict', 'model_retired', 'provider_misconfigured'],
  })
  async create(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestBody() body: CreatePresetRequest,
  ) {
    const absent = { prompt: null, parameters: {}, personaId: null, styleTransfer: null };
    const { name, model } = body;
    const id = await this.presets.create(actor, { ...absent, ...presetChanges(body), name, model });
    return this.#get(actor, id, urls);
  }

  @Put(':id')
  @Existing('preset', 'id')
  @Responds(200, PresetResponse, {
    id: 'presets.update',
    summary: 'Change a preset',
    description:
      'Changes the given fields of a preset: by its creator, an admin or the owner. Returns the preset. Fields that ' +
      'are not given are not checked again.',
    errors: ['conflict', 'model_retired', 'provider_misconfigured'],
  })
  async update(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('id') id: number,
    @RequestBody() body: UpdatePresetRequest,
  ) {
    await this.presets.update(actor, id, presetChanges(body));
    return this.#get(actor, id, urls);
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'presets.delete',
    summary: 'Delete a preset',
    description: 'Deletes a preset for good: by its creator, an admin or the owner. Returns only `status`.',
  })
  delete(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return this.presets.delete(actor, id);
  }

  async #get({ workspaceId }: Actor, id: number, urls: IssuedUrls): Promise<PresetResponse> {
    const preset = await this.views.find(workspaceId, id);
    if (!preset) throw notFound('preset');
    return { preset: this.#dtoOf(preset, urls) };
  }

  #dtoOf({ styleTransfer, ...preset }: PresetView, urls: IssuedUrls): PresetDto {
    const key = styleTransfer && this.stored.keyOf(styleTransfer);
    const shown = { ...preset, styleTransfer: key ? urls.urlOf(key) : styleTransfer };
    return presetDto(shown, this.catalogue, this.clock.now());
  }
}
