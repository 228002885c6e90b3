import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { Responds, type ApiRequest, errorBody, Public, Unlimited } from '../http/index.ts';
import { HealthChecks } from './health-checks.ts';
import { type DependencyResponse, ReadyResponse } from './health.responses.ts';

@Controller('health')
@Public()
@Unlimited()
export class HealthController {
  readonly #checks: HealthChecks;

  constructor(@Inject(HealthChecks) checks: HealthChecks) {
    this.#checks = checks;
  }

  @Get('live')
  @Responds(200, null, { summary: 'Whether the process answers at all' })
  live(): object {
    return {};
  }

  @Get('ready')
  @Responds(200, ReadyResponse, {
    summary: 'Whether the service can serve',
    description:
      'Answers 503 with the same `checks` while something is down without which nothing can be served. The queue may be down: requests are served all the same, and jobs wait in the database until it is back.',
    contentType: 'application/json',
  })
  async ready(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const results = [...(await this.#checks.run())];
    const checks = results.map(([name, { state, latencyMs }]): DependencyResponse => ({
      name,
      state,
      latency_ms: latencyMs,
    }));
    const down = results
      .filter(([, { state, isNeeded }]) => state === 'down' && isNeeded)
      .map(([name]) => name);
    if (down.length === 0) {
      response.json({ status: true, checks });
      return;
    }
    const error = new DomainError('unavailable', `${down.join(' and ')} can not be reached`);
    response.status(503).json({ ...errorBody(error, request.id), checks });
  }
}
