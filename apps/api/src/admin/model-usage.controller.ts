import { Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PostgresModelUses, PostgresOperatorViews } from '#adapters/postgres';
import { LiveCatalogue, namesOf } from '#catalogue';
import type { Clock } from '#kernel';
import { clock } from '#wiring';
import { jsonOf, RequestQuery, Responds } from '../http/index.ts';
import { modelUsageCsv, modelUsageDto, ModelUsageQuery, ModelUsageResponse, periodOfQuery } from './model-usage.dto.ts';
import { modelUsesDto, ModelUsesResponse } from './model-uses.dto.ts';
import { ForOperators } from './operator-guard.ts';

const toJson = jsonOf(ModelUsageResponse);

/** Usage of the models of the service, over all workspaces. */
@ForOperators('models')
export class ModelUsageController {
  constructor(
    @Inject(PostgresOperatorViews) private readonly views: PostgresOperatorViews,
    @Inject(PostgresModelUses) private readonly uses: PostgresModelUses,
    @Inject(LiveCatalogue) private readonly catalogue: LiveCatalogue,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get('usage')
  @Responds(200, ModelUsageResponse, {
    id: 'operators.models.usage.list',
    summary: 'Read the use of the models',
    description:
      'Sums up the generations of all workspaces by month and model. Returns uses, failures, times, credits charged ' +
      'and what the vendors billed. Trials are not included. With `Accept: text/csv` the response is CSV.',
    contentType: 'application/json',
    otherType: 'text/csv',
  })
  async getUsage(@RequestQuery() query: ModelUsageQuery, @Req() request: Request, @Res() response: Response) {
    const { startAt, endAt } = periodOfQuery(query, this.clock.now());
    const usage = (await this.views.modelUsage(startAt, endAt)).map(modelUsageDto);
    if (request.accepts('json', 'text/csv') === 'text/csv') {
      response.type('text/csv').attachment('model-usage.csv').send(modelUsageCsv(usage));
    } else {
      response.type('json').send(toJson({ usage }));
    }
  }

  @Get(':id/uses')
  @Responds(200, ModelUsesResponse, {
    id: 'operators.models.uses.list',
    summary: 'Read who uses a model',
    description:
      'Finds what would break without a model: what names it by its id or an alias. Returns at most 100 presets, ' +
      'styles, open batches and callers of the last 30 days, and how many there are.',
    errors: ['conflict'],
  })
  async getUses(@Param('id') id: string) {
    await this.catalogue.refresh();
    return modelUsesDto(await this.uses.read(namesOf(this.catalogue.find(id)), this.clock.now()));
  }
}
