import { Delete, Get, HttpCode, Inject, Param, Put } from '@nestjs/common';
import type { AuditEntries } from '#audit-log';
import { CatalogueChanges, LiveCatalogue, ModelProposals } from '#catalogue';
import type { Settings } from '#config';
import { notFound, type PageRequest } from '#kernel';
import { auditEntries, checkModels, fixedCatalogue, openProvider, settings } from '#wiring';
import { auditEntryDto, auditFilterOf, AuditQuery, AuditResponse } from '../audit-log/audit-log.dto.ts';
import { listOf, PageQuery, Post, RequestBody, RequestQuery, Responds } from '../http/index.ts';
import {
  AddedEntriesResponse,
  addedModelDto,
  AddedModelResponse,
  addedProviderDto,
  AddedProviderResponse,
  previewDto,
  listedModels,
  ListedModelsResponse,
  ProposalResponse,
  ProposeModelRequest,
  RevisionQuery,
  SaveModelRequest,
  SaveProviderRequest,
} from './catalogue.dto.ts';
import { HealthDto } from './operator.dto.ts';
import { ForOperators } from './operator-guard.ts';

const CHANGE_ERRORS = ['forbidden', 'conflict'] as const;
const DEFAULT_MAX_CONCURRENT = 4;
const PROPOSE_MS = 30_000;

/** The entries that operators add to the catalogue. Each change is followed by every process within seconds. */
@ForOperators()
export class CatalogueController {
  constructor(
    @Inject(CatalogueChanges) private readonly changes: CatalogueChanges,
    @Inject(LiveCatalogue) private readonly catalogue: LiveCatalogue,
    @Inject(ModelProposals) private readonly proposals: ModelProposals,
    @Inject(settings) private readonly values: Settings,
    @Inject(auditEntries) private readonly log: AuditEntries,
  ) {}

  @Get('catalogue')
  @Responds(200, AddedEntriesResponse, {
    id: 'operators.catalogue.get',
    summary: 'Read the entries that operators have added',
    description:
      'Reads the added providers and models; `operators.providers.list` also has those of the file. Returns the ' +
      'entries with their revisions and problems, without keys.',
  })
  async getCatalogue() {
    await this.catalogue.refresh();
    const { providers, models } = this.catalogue;
    return { providers: providers.map(addedProviderDto), models: models.map(addedModelDto) };
  }

  @Get('audit')
  @Responds(200, AuditResponse, {
    id: 'operators.audit.list',
    summary: 'Read what operators have done',
    description:
      'Lists what operators have done, also by the command line: changes of the catalogue, of operators, plans, credits and ' +
      'teams, of any workspace. Returns the entries newest first.',
  })
  async getAudit(@RequestQuery() query: AuditQuery, @PageQuery() page: PageRequest) {
    return listOf('entries', await this.log.page(null, auditFilterOf(query), page), auditEntryDto);
  }

  @Put('providers/:id')
  @Responds(200, AddedProviderResponse, {
    id: 'operators.providers.update',
    summary: 'Add or change a provider',
    description:
      'Saves a provider with its key, which is stored encrypted and never shown. Returns the provider. An id of the ' +
      'catalogue file or of the environment cannot be used.',
    errors: CHANGE_ERRORS,
  })
  async putProvider(@Param('id') id: string, @RequestBody() body: SaveProviderRequest) {
    await this.changes.saveProvider(id, {
      type: body.type,
      baseUrl: body.base_url ?? body.base_urls?.[0] ?? null,
      baseUrls: body.base_urls ?? null,
      key: body.key,
      maxConcurrent: body.max_concurrent ?? DEFAULT_MAX_CONCURRENT,
      submissionsPerMinute: body.submissions_per_minute ?? null,
      revision: body.revision,
    });
    await this.catalogue.refresh();
    const saved = this.catalogue.providers.find(({ added }) => added.id === id);
    if (!saved) throw notFound('provider');
    return { provider: addedProviderDto(saved) };
  }

  @Delete('providers/:id')
  @Responds(200, null, {
    id: 'operators.providers.delete',
    summary: 'Delete a provider',
    description:
      'Deletes an added provider with its key. Returns only `status`. Refused while models or open generations use it.',
    errors: CHANGE_ERRORS,
  })
  async deleteProvider(@Param('id') id: string, @RequestQuery() { revision }: RevisionQuery) {
    await this.changes.deleteProvider(id, revision);
    await this.catalogue.refresh();
  }

  @Post('providers/:id/check')
  @HttpCode(200)
  @Responds(200, HealthDto, {
    id: 'operators.providers.check',
    summary: 'Check a provider',
    description: 'Asks a provider whether it works; this costs nothing. Returns its health.',
  })
  async postCheck(@Param('id') id: string) {
    await this.catalogue.refresh();
    const provider = this.catalogue.entries.providers.find((each) => each.id === id);
    if (!provider) return this.#unusable(id);
    const only = fixedCatalogue({ providers: [provider], models: [] });
    const found = await checkModels(only, (each) => openProvider(this.values, each));
    const { state, finding, advice } = found.find(({ check }) => check === `provider ${id}`)!;
    return { state, finding, advice };
  }

  @Get('models')
  @Responds(200, ListedModelsResponse, {
    id: 'operators.models.list',
    summary: 'List the models',
    description:
      'Lists the models of the catalogue file and of the workers, which cannot be changed here, then those that ' +
      'operators have added. Returns them all, with the entries of the added ones.',
  })
  async getModels() {
    await this.catalogue.refresh();
    const { entries, models, gone } = this.catalogue;
    const added = new Set(models.map(({ added: { id } }) => id));
    return listedModels(
      entries.models.filter(({ id }) => !added.has(id)),
      models,
      gone,
    );
  }

  @Post('models/propose')
  @HttpCode(200)
  @Responds(200, ProposalResponse, {
    id: 'operators.models.propose',
    summary: 'Propose the entry of a model',
    description:
      "Reads the vendor's own description of a model, which costs nothing. Returns an entry and the questions that the " +
      'description does not decide; send the same call with `answers` until no question is left, then save the entry.',
  })
  async postPropose(@RequestBody() body: ProposeModelRequest) {
    const { provider, target = null, workflow = null, answers = {} } = body;
    await this.catalogue.refresh();
    const request = { provider, target, workflow, answers };
    const proposal = await this.proposals.propose(request, AbortSignal.timeout(PROPOSE_MS));
    const entry = proposal.workflow ? { ...proposal.entry, workflow: proposal.workflow } : proposal.entry;
    const { questions, leftOut, price, knownEnd } = proposal;
    const known = knownEnd && { retires_at: knownEnd.retiresAt, successor: knownEnd.successor };
    return { entry, questions, left_out: leftOut, price, known_end: known };
  }

  @Put('models/:id')
  @Responds(200, AddedModelResponse, {
    id: 'operators.models.update',
    summary: 'Add or change a model',
    description:
      'Saves the entry of a model, by the rules of the catalogue file; errors name the fields. Returns the entry, and ' +
      'the model as callers see it. Generations that were accepted before keep the entry of then.',
    errors: CHANGE_ERRORS,
  })
  async putModel(@Param('id') id: string, @RequestBody() body: SaveModelRequest) {
    const { entry, is_offered: isOffered = true, revision, dry_run: isDryRun = false } = body;
    if (isDryRun) return { model: previewDto(await this.changes.checkModel(id, entry), entry, isOffered) };
    await this.changes.saveModel(id, { entry, isOffered, revision });
    await this.catalogue.refresh();
    const saved = this.catalogue.models.find(({ added }) => added.id === id);
    if (!saved) throw notFound('model');
    return { model: addedModelDto(saved) };
  }

  @Delete('models/:id')
  @Responds(200, null, {
    id: 'operators.models.delete',
    summary: 'Delete a model',
    description: 'Deletes an added model. Returns only `status`. Generations that were accepted before go on.',
    errors: CHANGE_ERRORS,
  })
  async deleteModel(@Param('id') id: string, @RequestQuery() { revision }: RevisionQuery) {
    await this.changes.deleteModel(id, revision);
    await this.catalogue.refresh();
  }

  /** @throws DomainError `not_found` */
  #unusable(id: string): HealthDto {
    const { problem = null } = this.catalogue.providers.find(({ added }) => added.id === id) ?? {};
    if (problem === null) throw notFound('provider');
    return { state: 'ill', finding: problem, advice: null };
  }
}
