import { Get, Inject } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { PostgresOperatorViews, PostgresPausedProviders } from '#adapters/postgres';
import { QUEUES } from '#adapters/queue';
import { LiveCatalogue } from '#catalogue';
import { shownSettings, type Settings } from '#config';
import type { Plans } from '#identity';
import { checkModels, examine, fixedCatalogue, openProvider, partsOf, plans, settings } from '#wiring';
import { Responds } from '../http/index.ts';
import {
  ChecksResponse,
  PlansResponse,
  plansResponse,
  ProvidersResponse,
  providersResponse,
  QueuesResponse,
  queuesResponse,
  SettingsResponse,
  settingsResponse,
  StoredResponse,
  storedResponse,
} from './operator.dto.ts';
import { ForOperators } from './operator-guard.ts';

/** Reads of the console's operator screen. */
@ForOperators()
export class OperatorController {
  /** Checks vendors: concurrent calls share one check. */
  readonly #askVendors = shared(() => this.#checkProviders());
  readonly #examine = shared(() => examine(partsOf(this.values, (what) => this.#get(what))));

  constructor(
    @Inject(settings) private readonly values: Settings,
    @Inject(PostgresOperatorViews) private readonly views: PostgresOperatorViews,
    @Inject(plans) private readonly plans: Plans,
    @Inject(LiveCatalogue) private readonly catalogue: LiveCatalogue,
    @Inject(PostgresPausedProviders) private readonly paused: PostgresPausedProviders,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  @Get('providers')
  @Responds(200, ProvidersResponse, {
    id: 'operators.providers.list',
    summary: 'List the providers and models of the catalogue',
    description:
      'Asks every provider whether it works. Returns the health of each provider and model, and how the newest ' +
      'generations ended.',
  })
  getProviders() {
    return this.#askVendors();
  }

  @Get('queues')
  @Responds(200, QueuesResponse, {
    id: 'operators.queues.list',
    summary: 'List the queues',
    description: 'Counts the jobs that are not done. Returns the counts of each queue, and of each job in it.',
  })
  async getQueues() {
    return queuesResponse(QUEUES, await this.views.jobs());
  }

  @Get('storage')
  @Responds(200, StoredResponse, {
    id: 'operators.storage.get',
    summary: 'Read what is stored',
    description: 'Sums up the files. Returns the sums, and what the last comparison with the storage found.',
  })
  async getStorage() {
    return storedResponse(this.values, await this.views.storage());
  }

  @Get('plans')
  @Responds(200, PlansResponse, {
    id: 'operators.plans.list',
    summary: 'List the plans',
    description:
      'Counts the workspaces of each plan. Returns the plans, with their credits and whether teams may be on them.',
  })
  async getPlans() {
    return plansResponse(this.plans, await this.views.workspacesByPlan());
  }

  @Get('settings')
  @Responds(200, SettingsResponse, {
    id: 'operators.settings.list',
    summary: 'List the settings',
    description: 'Lists every setting. Returns its default, and its value without passwords unless it is a secret.',
  })
  getSettings() {
    return settingsResponse(shownSettings(this.values));
  }

  @Get('doctor')
  @Responds(200, ChecksResponse, {
    id: 'operators.checks.list',
    summary: 'Examine the service',
    description: 'Runs the checks of `npm run cli -- doctor`. Returns the finding of each check and advice.',
  })
  async getDoctor() {
    return { checks: await this.#examine() };
  }

  async #checkProviders(): Promise<ProvidersResponse> {
    const [found, recent, paused] = await Promise.all([
      checkModels({ ...fixedCatalogue(this.catalogue.entries), gone: this.catalogue.gone }, (provider) =>
        openProvider(this.values, provider),
      ),
      this.views.recentGenerations(),
      this.paused.list(),
    ]);
    return providersResponse(this.catalogue.entries, found, recent, paused, this.catalogue.providers);
  }

  #get<T>(what: Parameters<ModuleRef['get']>[0]): T {
    return this.modules.get(what, { strict: false }) as T;
  }
}

/** Concurrent calls share one run. */
function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= run().finally(() => (running = null)));
}
