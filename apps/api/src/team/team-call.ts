import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Plans } from '#identity';
import { assertMay, type TeamAction } from '#team';
import { plans } from '#wiring';
import { type ApiRequest, ExistenceChecks } from '../http/index.ts';
import { existingTargets } from '../http/existing.ts';

const TEAM_ACTION = Symbol('team action');

/** Checks plan and role before the fields are looked at; whom it is done to is the use case's to judge. */
@Injectable()
class TeamGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(ExistenceChecks) private readonly existence: ExistenceChecks,
    @Inject(plans) private readonly plans: Plans,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const action = this.reflector.get<TeamAction>(TEAM_ACTION, context.getHandler());
    try {
      assertMay(request.actor!, this.plans, action);
    } catch (refusal) {
      await this.existence.require(existingTargets(context.getHandler()), request);
      throw refusal;
    }
    return true;
  }
}

/** What a route does, as the roles policy calls it: for who may not, it ends here. */
export function TeamCall(action: TeamAction): MethodDecorator {
  return applyDecorators(SetMetadata(TEAM_ACTION, action), UseGuards(TeamGuard));
}
