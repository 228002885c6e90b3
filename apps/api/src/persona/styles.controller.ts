import { Controller, Delete, Get, Inject, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { IssuedUrls } from '#files';
import { Styles, type GenerationViews, type StyleId, type StyleViews } from '#generation';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import type { PersonaViews } from '#persona';
import { generationViews, personaViews, styleViews } from '#wiring';
import {
  BodyFields,
  CurrentActor,
  Existing,
  type FieldValues,
  listOf,
  pageOfWhole,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestFields,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import { PersonaResponse } from './persona.dto.ts';
import { readPersona } from './read-persona.ts';
import {
  ActiveStyleRequest,
  styleDto,
  StyleResponse,
  StylesResponse,
  TrainStyleDryRunResponse,
  trainStyleDryRun,
  TrainStyleRequest,
  TrainStyleResponse,
  trainStyleResponse,
  UpdateStyleRequest,
} from './style.dto.ts';

@Controller('v2/personas/:persona_id')
export class StylesController {
  constructor(
    @Inject(Styles) private readonly styles: Styles,
    @Inject(styleViews) private readonly views: StyleViews,
    @Inject(personaViews) private readonly personas: PersonaViews,
    @Inject(generationViews) private readonly generations: GenerationViews,
  ) {}

  @Post('styles')
  @Existing('persona', 'persona_id')
  @Responds(202, TrainStyleResponse, {
    id: 'personas.styles.create',
    summary: 'Train a style',
    description:
      'Trains a style on pictures of the persona as they are now; with `dry_run` only computes its cost. Returns the ' +
      'style and the generation that trains it: poll, cancel and follow it like any other. Also takes the fields that ' +
      'the model declares. The first style that becomes ready is active: generations with the persona use it.',
    also: { 200: [TrainStyleDryRunResponse] },
    errors: ['slot_empty', 'insufficient_credits', 'budget_exceeded', 'quota_exceeded', 'conflict'],
  })
  async create(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestFields() body: TrainStyleRequest,
    @BodyFields() fields: FieldValues,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { model, name = null, pictures = null, webhook = null } = body;
    const dryRun = body.dry_run ?? false;
    response.status(dryRun ? 200 : 202);
    const call = { personaId, model, name, pictures, webhook, fields, dryRun };
    const { styleId, accepted } = await this.styles.train(actor, call);
    if (styleId === null) return trainStyleDryRun(accepted, urls);
    return trainStyleResponse(await this.#get({ ...actor, personaId, styleId }), accepted, urls);
  }

  @Get('styles')
  @Responds(200, StylesResponse, {
    id: 'personas.styles.list',
    summary: 'List the styles of a persona',
    description:
      'Lists the trained styles of a persona, newest first: all, or a page of them. Returns each with its state and pictures.',
  })
  async list(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @PageQuery({ whole: true }) page: PageRequest,
  ) {
    const styles = await this.views.list(workspaceId, personaId);
    if (!styles) throw notFound('persona');
    return listOf('styles', pageOfWhole(styles, page), (style) => styleDto(style, urls));
  }

  @Get('styles/:style_id')
  @Responds(200, StyleResponse, {
    id: 'personas.styles.get',
    summary: 'Read a style',
    description: 'Reads one trained style. Returns its state and pictures.',
  })
  async read(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @PathId('style_id') styleId: number,
  ) {
    return { style: styleDto(await this.#get({ workspaceId, personaId, styleId }), urls) };
  }

  @Put('styles/:style_id')
  @Existing('persona', 'persona_id')
  @Existing('style', 'style_id')
  @Responds(200, StyleResponse, {
    id: 'personas.styles.update',
    summary: 'Rename a style',
    description: 'Changes the name of a style. Returns the style.',
  })
  async update(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @PathId('style_id') styleId: number,
    @RequestBody() { name }: UpdateStyleRequest,
  ) {
    const id = { workspaceId, personaId, styleId };
    await this.styles.rename(id, name);
    return { style: styleDto(await this.#get(id), urls) };
  }

  @Delete('styles/:style_id')
  @Responds(200, null, {
    id: 'personas.styles.delete',
    summary: 'Delete a style',
    description:
      'Deletes a style for good, and cancels its training. Returns only `status`. Generations under way still use it.',
  })
  delete(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('style_id') styleId: number,
  ) {
    return this.styles.delete({ workspaceId, personaId, styleId });
  }

  @Put('active_style')
  @Existing('persona', 'persona_id')
  @Responds(200, PersonaResponse, {
    id: 'personas.activeStyle.update',
    summary: 'Choose the active style of a persona',
    description:
      'Makes a ready style the one that generations with the persona use by default, or none. Returns the persona.',
    errors: ['conflict'],
  })
  async activate(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestBody() { style_id: styleId }: ActiveStyleRequest,
  ) {
    await this.styles.activate(workspaceId, personaId, styleId);
    const { personas, generations } = this;
    return readPersona({ personas, generations, urls }, workspaceId, personaId);
  }

  async #get(id: StyleId): Promise<Parameters<typeof styleDto>[0]> {
    const style = await this.views.get(id);
    if (!style) throw notFound('style');
    return style;
  }
}
