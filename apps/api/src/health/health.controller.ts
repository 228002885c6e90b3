import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import {
  type ApiRequest,
  ChoiceField,
  errorBody,
  IntegerField,
  ListField,
  Public,
  Responds,
  TextField,
  Unlimited,
} from '../http/index.ts';
import { HealthChecks } from './health-checks.ts';

export class DependencyResponse {
  @TextField('Name of the dependency.', { example: 'database' }) name!: string;
  @ChoiceField(['up', 'down'], 'Whether it can serve.', { example: 'up' }) state!: 'up' | 'down';
  @IntegerField('Duration of the check in milliseconds.', { example: 1, min: 0 }) latency_ms!: number;
}

export class ReadyResponse {
  @ListField(() => DependencyResponse, 'All dependencies of the service.') checks!: DependencyResponse[];
}

@Controller('health')
@Public()
@Unlimited()
export class HealthController {
  constructor(@Inject(HealthChecks) private readonly checks: HealthChecks) {}

  @Get('live')
  @Responds(200, null, { summary: 'Check that the process is alive' })
  live(): object {
    return {};
  }

  @Get('ready')
  @Responds(200, ReadyResponse, {
    summary: 'Check that the service can serve',
    description:
      'Responds 503 with the same `checks` while a required dependency is down. The queue is not required: ' +
      'without it requests are served, and jobs wait in the database until it is back.',
    contentType: 'application/json',
  })
  async ready(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const results = await this.checks.run();
    const checks = results.map(({ name, state, latencyMs }): DependencyResponse => ({
      name,
      state,
      latency_ms: latencyMs,
    }));
    const down = results.filter(({ state, isNeeded }) => state === 'down' && isNeeded).map(({ name }) => name);
    if (down.length === 0) {
      response.json({ status: true, checks });
      return;
    }
    const error = new DomainError('unavailable', `${down.join(' and ')} can not be reached`);
    response.status(503).json({ ...errorBody(error, request.id), checks });
  }
}
