import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#kernel';
import { RELEASE } from '#process';
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
import { type CheckedHealth, HEALTH_STATES, HealthChecks, type HealthState } from './health-checks.ts';

export class LiveResponse {
  @TextField('Version of the service.', { example: '0.2.0' }) version!: string;
  @TextField('Commit that it was built from, if known.', { nullable: true, example: '1a2b3c4' })
  commit!: string | null;
}

export class DependencyResponse {
  @TextField('Name of the dependency.', { example: 'database' }) name!: string;
  @ChoiceField(
    HEALTH_STATES,
    'Whether it can serve; `read_only`: it refuses writes; `full`: its disk has no space for uploads; `outdated`: it lacks migrations of this version.',
    { example: 'up' },
  )
  state!: HealthState;
  @IntegerField('Duration of the check in milliseconds.', { example: 1, min: 0 }) latency_ms!: number;
}

export class ReadyResponse {
  @ListField(() => DependencyResponse, 'All dependencies of the service.') checks!: DependencyResponse[];
}

/** Why the service is not ready, to follow the name of a dependency. */
const REASONS = [
  ['down', 'cannot be reached'],
  ['outdated', 'lacks migrations of this version: run `npm run migrate`'],
  ['full', 'is full: make space on its disk'],
  ['read_only', 'cannot be written to'],
] as const;
const REASONS_NOT_TO_SERVE = REASONS.filter(([state]) => state !== 'read_only' && state !== 'full');

@Controller('health')
@Public()
@Unlimited()
export class HealthController {
  constructor(@Inject(HealthChecks) private readonly checks: HealthChecks) {}

  @Get('live')
  @Responds(200, LiveResponse, {
    id: 'health.live',
    summary: 'Check that the process is alive',
    description:
      'Checks that the process responds, without asking any dependency. Returns the version and commit that run.',
  })
  live() {
    return { ...RELEASE };
  }

  @Get('ready')
  @Responds(200, ReadyResponse, {
    id: 'health.ready',
    summary: 'Check that the service can serve',
    description:
      'Checks the dependencies of the service. Returns the state of each dependency. Responds 503 with the same ' +
      '`checks` while a required dependency is down, the database lacks migrations of this version, or a ' +
      'dependency refuses writes: its disk is full or read-only, or the database is a standby. Writes are checked ' +
      'every few seconds. The queue is not required: without it requests are served, and jobs wait in the ' +
      'database until the queue is back.',
    contentType: 'application/json',
  })
  async ready(@Req() request: ApiRequest, @Res() response: Response) {
    const results = await this.checks.run();
    this.#respond(request, response, results, REASONS);
  }

  @Get('serving')
  @Responds(200, ReadyResponse, {
    id: 'health.serving',
    summary: 'Check that requests should come here',
    description:
      'Checks for proxies the dependencies without which no request can be served. Returns their state. Where all ' +
      'processes lack another dependency, such as the storage, requests that do not need it are served. Responds 503 ' +
      'with the same `checks` while one is missing, and while the process is stopping.',
    contentType: 'application/json',
  })
  async serving(@Req() request: ApiRequest, @Res() response: Response) {
    const results = await this.checks.run('needed to serve');
    this.#respond(request, response, results, REASONS_NOT_TO_SERVE);
  }

  #respond(
    request: ApiRequest,
    response: Response,
    results: readonly CheckedHealth[],
    reasonsToRefuse: readonly (readonly [HealthState, string])[],
  ): void {
    const checks = results.map(({ name, state, latencyMs }): DependencyResponse => ({
      name,
      state,
      latency_ms: latencyMs,
    }));
    const reasons = reasonsToRefuse.flatMap(([state, reason]) => {
      const names = results.filter((each) => each.isNeeded && each.state === state).map(({ name }) => name);
      return names.length > 0 ? [`${names.join(' and ')} ${reason}`] : [];
    });
    const all = this.checks.isDraining ? ['the process is stopping', ...reasons] : reasons;
    if (all.length === 0) {
      response.json({ status: true, checks });
      return;
    }
    // Nothing has failed: the log does not call it an error.
    response.locals.isDraining = reasons.length === 0;
    const error = new DomainError('unavailable', all.join('; '));
    response.status(503).json({ ...errorBody(error, request.id), checks });
  }
}
