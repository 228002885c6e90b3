import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { PostgresOperatorViews } from '#adapters/postgres';
import { QUEUES } from '#adapters/queue';
import { shownSettings, type Settings } from '#config';
import type { Directory, Plans } from '#identity';
import type { PageRequest } from '#kernel';
import { checkModels, directory, examine, openProvider, plans, readCatalogue, settings } from '#wiring';
import { cursorOf, PageQuery, Public, RequestQuery, SearchQuery } from '../http/index.ts';
import { plansResponse, providersResponse, queuesResponse, storageResponse, userDto } from './operator.dto.ts';
import { OperatorGuard } from './operator-guard.ts';

/** What the operator's screen of the console reads. Changes are made on the command line. */
@Controller('admin/api')
@Public()
@UseGuards(OperatorGuard)
export class OperatorController {
  /** Asks vendors: one answer for all who ask meanwhile. */
  private readonly askVendors = shared(() => this.checkProviders());
  private readonly examine = shared(() => examine({ settings: this.values, get: (what) => this.get(what) }));

  constructor(
    @Inject(settings) private readonly values: Settings,
    @Inject(PostgresOperatorViews) private readonly views: PostgresOperatorViews,
    @Inject(directory) private readonly directory: Directory,
    @Inject(plans) private readonly plans: Plans,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
  ) {}

  @Get('providers')
  getProviders(): Promise<object> {
    return this.askVendors();
  }

  @Get('queues')
  async getQueues(): Promise<object> {
    return queuesResponse(QUEUES, await this.views.jobs());
  }

  @Get('storage')
  async getStorage(): Promise<object> {
    return storageResponse(this.values, await this.views.storage());
  }

  @Get('users')
  async getUsers(@RequestQuery() { q }: SearchQuery, @PageQuery() page: PageRequest): Promise<object> {
    const { items, next } = await this.directory.users(page, q || null);
    return { status: true, users: items.map(userDto), next_cursor: cursorOf(next) };
  }

  @Get('plans')
  async getPlans(): Promise<object> {
    return plansResponse(this.plans, await this.views.workspacesByPlan());
  }

  @Get('settings')
  getSettings(): object {
    const shown = shownSettings(this.values).map(({ isSet, ...setting }) => ({ ...setting, is_set: isSet }));
    return { status: true, settings: shown };
  }

  @Get('doctor')
  async getDoctor(): Promise<object> {
    return { status: true, checks: await this.examine() };
  }

  private async checkProviders(): Promise<object> {
    const catalogue = readCatalogue(this.values);
    const [found, recent] = await Promise.all([
      checkModels(catalogue, (provider) => openProvider(this.values, provider)),
      this.views.recentGenerations(),
    ]);
    return providersResponse(catalogue, found, recent);
  }

  private get<T>(what: Parameters<ModuleRef['get']>[0]): T {
    return this.modules.get(what, { strict: false }) as T;
  }
}

/** Calls share a run that is under way. */
function shared<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= run().finally(() => (running = null)));
}
