import type { AddressInfo } from 'node:net';
import { Controller, Delete, Get, Global, Inject, Module, Put, Req, Res, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { PARAMS_PROVIDER_TOKEN } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import type { Request, Response } from 'express';
import { DomainError, type ErrorCode, noTracing, type PageRequest, systemClock, type UnitOfWork } from '#kernel';
import { readSettings } from '#config';
import { type Actor, Gate, Tokens } from '#identity';
import {
  Database,
  type PostgresConnection,
  PostgresTeams,
  PostgresTokens,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import {
  clock,
  IdentityModule,
  postgres,
  rateCounters,
  redis,
  settings,
  sharedRateCounters,
  tracing,
  unitOfWork,
} from '#wiring';
import { HealthModule } from '../../apps/api/src/health/health.module.ts';
import {
  type ApiRequest,
  BodyFields,
  BooleanField,
  configureHttp,
  CurrentActor,
  cursorOf,
  ExistenceChecks,
  Existing,
  type FieldValues,
  HTTP_OPTIONS,
  HttpModule,
  IntegerField,
  JsonAdapter,
  LimitFailures,
  May,
  ObjectField,
  PageQuery,
  PathId,
  Post,
  Public,
  RequestBody,
  RequestQuery,
  Responds,
  TextField,
  TimeField,
  Unlimited,
} from '../../apps/api/src/http/index.ts';
import type { ConnectionLimits } from '../../apps/api/src/http/connections.ts';
import { logParams } from '../../apps/api/src/http/request-log.ts';
import { MetricsModule } from '../../apps/api/src/metrics/metrics.module.ts';
import { sqlOn } from './database.ts';

class ThingRequest {
  @TextField('Name of the thing.', { example: 'Lamp', max: 20 }) name!: string;
  @IntegerField('Its place.', { example: 3, min: 1, max: 7, required: false }) slot?: number;

  @IntegerField('What it hangs on.', { example: null, min: 1, required: false, nullable: true })
  parent_id?: number | null;

  @BooleanField('Whether it is lit.', { example: true, required: false }) lit?: boolean;
}

class ThingDto {
  @IntegerField('Id of the thing.', { example: 1, min: 1 }) id!: number;
  @IntegerField('What it hangs on.', { example: null, nullable: true }) parent_id!: number | null;
  @TimeField('When it was made.') created_at!: Date;
}

class ThingResponse {
  @ObjectField(() => ThingDto, 'The thing.') thing!: ThingDto;
  @ObjectField(() => ThingDto, 'The thing before it.', { nullable: true }) before!: ThingDto | null;
}

/** Has no class at run time: what a method returns is returned whole. */
const Anything = null as unknown as Type<object>;

class SearchQuery {
  @TextField('What to look for.', { example: 'lamp' }) q!: string;
}

class LoginRequest {
  @TextField('E-mail.', { example: 'ann@example.com' }) email!: string;
  @TextField('Password.', { example: 'correct horse' }) password!: string;
}

/** The rows of `users` with a name are the effects of the requests with that name. */
@Controller('v2/things')
class ThingsController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(unitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  @Get()
  @Responds(200, Anything, { id: 'boards.list', summary: 'List' })
  list(@PageQuery() page: PageRequest): object {
    return { page, next_cursor: cursorOf(page.limit) };
  }

  @Get('search')
  @Responds(200, Anything, { id: 'boards.read', summary: 'Search' })
  search(@RequestQuery() query: SearchQuery): object {
    return { query };
  }

  @Get('whole')
  @Responds(200, Anything, { id: 'boards.whole.list', summary: 'List whole' })
  listWhole(@PageQuery({ whole: true }) page: PageRequest): object {
    return { page };
  }

  @Get('events')
  @Responds(200, Anything, { id: 'boards.follow', summary: 'Events', contentType: 'text/event-stream' })
  events(@Res() response: Response): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('event: state\ndata: {}\n\n');
    setTimeout(() => response.end('event: done\ndata: {}\n\n'), 20);
  }

  @Get('broken')
  @Responds(200, Anything, { id: 'boards.broken.get', summary: 'Fail' })
  broken(): never {
    throw new Error('select secret from table at /srv/app/x.ts');
  }

  @Get('errors/:code')
  @Responds(200, Anything, { id: 'boards.errors.get', summary: 'Fail with a code' })
  refuse(@Req() request: Request): never {
    throw new DomainError(request.params.code as ErrorCode, 'a sentence');
  }

  @Get(':id')
  @Responds(200, ThingResponse, { id: 'boards.get', summary: 'Show', errors: ['not_found'] })
  show(@PathId('id') id: number): ThingResponse {
    const thing = { id, parent_id: null, created_at: new Date(0), secret: 'not declared' };
    return { thing, before: null };
  }

  @Post()
  @Responds(201, Anything, { id: 'boards.create', summary: 'Create' })
  create(@CurrentActor() actor: Actor, @RequestBody() fields: ThingRequest, @BodyFields() raw: FieldValues): object {
    return { user_id: actor.userId, fields, raw };
  }

  @Put(':id')
  @May('board.update')
  @Existing('thing', 'id')
  @Responds(200, Anything, { id: 'boards.update', summary: 'Change' })
  change(@PathId('id') id: number, @RequestBody() fields: ThingRequest): object {
    return { id, fields };
  }

  @Delete(':id')
  @Responds(200, Anything, { id: 'boards.delete', summary: 'Delete' })
  remove(@PathId('id') id: number): object {
    return { deleted: id };
  }

  /** Has an effect, waits, and fails afterwards if `name` says so. */
  @Post('effects')
  @Responds(201, Anything, { id: 'boards.effects.create', summary: 'Have an effect' })
  async effect(@RequestBody() fields: ThingRequest): Promise<object> {
    await this.unitOfWork.run(() =>
      sqlOn(this.database).query('insert into users (email, name, created_at) values ($1, $2, now())', [
        `${Math.random()}@example.com`,
        fields.name,
      ]),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (fields.name === 'conflict') throw new DomainError('conflict', 'decided against it');
    if (fields.name === 'broken') throw new Error('broken');
    return { token: 'x12_shown-once', name: fields.name };
  }
}

@Controller(['v2/open', 'open'])
@Public()
class OpenController {
  @Post('login')
  @LimitFailures({ name: 'log-in', perAddress: 8, field: 'email', perValue: 3 })
  @Responds(200, Anything, { id: 'auth.open.logIn', summary: 'Log in' })
  login(@RequestBody() fields: LoginRequest): object {
    if (fields.password !== 'right') throw new DomainError('unauthenticated', 'wrong e-mail or password');
    return { token: `x12_${Math.random()}` };
  }

  @Get('free')
  @Unlimited()
  @Responds(200, Anything, { id: 'auth.open.free.get', summary: 'Without limit' })
  free(): object {
    return {};
  }

  @Get('broken')
  @Responds(200, Anything, { id: 'auth.open.broken.get', summary: 'Fail' })
  broken(): never {
    throw new Error('no luck', { cause: new Error('at the bottom') });
  }

  @Put('bytes/:key')
  async bytes(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    request.isUpload = true;
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) size += chunk.length;
    response.send(String(size));
  }
}

@Module({ controllers: [ThingsController, OpenController] })
class ProbeModule {
  constructor(@Inject(ExistenceChecks) checks: ExistenceChecks) {
    checks.register('thing', (actor, id) => Promise.resolve(id < 100 && actor.workspaceId > 0));
  }
}

export interface ProbeApi {
  readonly app: NestExpressApplication;
  readonly url: string;
}

/**
 * An API with the guard, adapter and filter of the real one, and routes to test them.
 *
 * @param env its environment
 * @param log the destination of its log; default none
 * @param limits of its connections; default those of the service
 */
export async function startProbeApi(
  connection: PostgresConnection,
  env: Readonly<Record<string, string>> = {},
  log?: DestinationStream,
  limits?: ConnectionLimits,
): Promise<ProbeApi> {
  const values = readSettings({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0', ...env }, () => 'x'.repeat(43));

  @Global()
  @Module({
    providers: [
      { provide: settings, useValue: values },
      { provide: tracing, useValue: noTracing },
      { provide: postgres, useValue: connection },
      { provide: redis, useValue: null },
      { provide: Database, useValue: connection.database },
      { provide: clock, useValue: systemClock },
      sharedRateCounters,
      { provide: PostgresUnitOfWork, useValue: new PostgresUnitOfWork(connection.database) },
      { provide: unitOfWork, useExisting: PostgresUnitOfWork },
      {
        provide: Gate,
        useValue: new Gate(
          new PostgresTokens(connection.database),
          new PostgresTeams(connection.database),
          { plans: {}, requiresVerifiedEmail: false },
          systemClock,
        ),
      },
    ],
    exports: [settings, tracing, postgres, redis, Database, clock, rateCounters, PostgresUnitOfWork, unitOfWork, Gate],
  })
  class TestPlatformModule {}

  const tokens = new Tokens(new PostgresTokens(connection.database), new RandomTokenSecrets(), systemClock);

  @Module({ providers: [{ provide: Tokens, useValue: tokens }], exports: [Tokens] })
  class TestIdentityModule {}

  const { pinoHttp, ...params } = logParams(values);
  const module = await Test.createTestingModule({
    imports: [TestPlatformModule, HttpModule, MetricsModule, HealthModule, ProbeModule],
  })
    .overrideModule(IdentityModule)
    .useModule(TestIdentityModule)
    .overrideProvider(PARAMS_PROVIDER_TOKEN)
    .useValue({ ...params, pinoHttp: log ? [pinoHttp, log] : pinoHttp })
    .compile();
  // A client that keeps its connection would keep the test from ending.
  const options = { ...HTTP_OPTIONS, forceCloseConnections: true };
  const app = module.createNestApplication<NestExpressApplication>(new JsonAdapter(), options);
  configureHttp(app, limits);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}` };
}
