import { Controller, Get, Inject, Module } from '@nestjs/common';
import { Credits, type CreditViews } from '#credits';
import type { StorageSpace } from '#files';
import { customerFilterFor, may, type Actor } from '#identity';
import type { Clock } from '#kernel';
import { clock, CreditsModule, creditViews, FilesModule, storageSpace } from '#wiring';
import { CurrentActor, RequestQuery, Responds } from '../http/index.ts';
import { CustomersController } from './customers.controller.ts';
import {
  CreditsResponse,
  creditsResponse,
  groupsOf,
  monthOfQuery,
  UsageQuery,
  UsageResponse,
  usageResponse,
} from './credits.dto.ts';

@Controller('v2/credits')
export class CreditsController {
  constructor(
    @Inject(Credits) private readonly credits: Credits,
    @Inject(creditViews) private readonly views: CreditViews,
    @Inject(storageSpace) private readonly space: StorageSpace,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @Responds(200, CreditsResponse, {
    id: 'credits.get',
    summary: 'What the workspace has left of credits and storage',
    description:
      'Reads the balance of the workspace in this month. Returns the credits and the storage, each with its limit ' +
      'and its use, and the subscription.',
  })
  async getCredits(@CurrentActor() { workspaceId, plan }: Actor) {
    const [credits, storage] = await Promise.all([this.credits.current(workspaceId, plan), this.space.of(workspaceId)]);
    return creditsResponse(plan, credits, storage);
  }

  @Get('usage')
  @Responds(200, UsageResponse, {
    id: 'credits.usage.get',
    summary: "Read what used a month's credits, by day, model, user or customer",
    description:
      'Adds up what used the credits of a month. Returns the sums by day, model, user or customer. ' +
      'On any plan. A plain member of a team gets only what they used themselves.',
    errors: ['forbidden'],
  })
  async getUsage(@CurrentActor() actor: Actor, @RequestQuery() query: UsageQuery) {
    const month = monthOfQuery(query, this.clock.now());
    const userId = may('team.read_usage_of_others', actor) ? null : actor.userId;
    const customer = customerFilterFor(actor, query.customer);
    return usageResponse(
      month,
      await this.views.usage(actor.workspaceId, month, groupsOf(query), { userId, customer, limit: query.limit }),
    );
  }
}

@Module({ imports: [CreditsModule, FilesModule], controllers: [CreditsController, CustomersController] })
export class CreditsApiModule {}
