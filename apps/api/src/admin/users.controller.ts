import { Delete, Get, Inject, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Settings } from '#config';
import { Erasures } from '#erasure';
import { type Directory, Operators, Provisioning } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { directory, settings } from '#wiring';
import {
  type ApiRequest,
  listOf,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
} from '../http/index.ts';
import { ForOperators, requirePerson } from './operator-guard.ts';
import {
  CreateUserRequest,
  ProvisionedUserResponse,
  UpdateUserRequest,
  userDto,
  UsersQuery,
  UsersResponse,
} from './provisioning.dto.ts';

/** Users, and who is an operator. */
@ForOperators('users')
export class UsersController {
  constructor(
    @Inject(settings) private readonly values: Settings,
    @Inject(directory) private readonly directory: Directory,
    @Inject(Operators) private readonly operators: Operators,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
    @Inject(Erasures) private readonly erasures: Erasures,
  ) {}

  @Get()
  @Responds(200, UsersResponse, {
    id: 'operators.users.list',
    summary: 'List users',
    description:
      'Lists users, newest first, without service accounts; `q` selects users whose e-mail contains it. Returns a page ' +
      'of users.',
  })
  async getUsers(@RequestQuery() { q, external_id: externalId }: UsersQuery, @PageQuery() page: PageRequest) {
    return listOf('users', await this.directory.users(page, q || null, externalId), userDto);
  }

  @Post()
  @Responds(201, ProvisionedUserResponse, {
    id: 'operators.users.create',
    summary: 'Open an account',
    description:
      'Opens an account with a personal workspace on the plan `free`, without a password: its user signs in by "forgot ' +
      'password", or by single sign-on. Returns the user; with 200 and as it is, if there is one with this `external_id`.',
    also: { 200: [ProvisionedUserResponse] },
    errors: ['user_exists'],
  })
  async postUser(
    @RequestBody() { email, name = null, external_id: externalId = null }: CreateUserRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { found, isNew } = await this.provisioning.openUser({ email, name, externalId });
    if (!isNew) response.status(200);
    return { user: userDto(found) };
  }

  @Put(':id')
  @Responds(200, null, {
    id: 'operators.users.update',
    summary: 'Change a user, and make them an operator, or end that',
    description:
      'Changes name and `external_id` of a user, and whether they may operate the service. Returns only `status`. The ' +
      'last operator stays one if the service has no ADMIN_TOKEN. A machine token cannot change who is an operator.',
    errors: ['forbidden', 'conflict'],
  })
  async putUser(
    @PathId('id') userId: number,
    @RequestBody() { is_operator: isOperator, name, external_id: externalId }: UpdateUserRequest,
    @Req() request: ApiRequest,
  ) {
    if (isOperator !== undefined) {
      const hasAdminToken = this.values.admin.token !== null;
      await this.operators.change({ userId, isOperator, by: requirePerson(request), hasAdminToken });
    }
    if (name !== undefined || externalId !== undefined) {
      await this.provisioning.updateUser(userId, {
        ...(name !== undefined && { name }),
        ...(externalId !== undefined && { externalId }),
      });
    }
  }

  @Delete(':id')
  @Responds(202, null, {
    id: 'operators.users.delete',
    summary: 'Delete a user with everything that is theirs',
    description:
      'Erases a user and the personal workspace, for good, as `DELETE /v2/auth/me` does. Returns only `status`, before ' +
      'the files are gone. The owner of a team with other members, and the last operator, are not deleted, and an ' +
      'operator not with a machine token.',
    errors: ['forbidden', 'transfer_ownership_first', 'conflict'],
  })
  async deleteUser(@PathId('id') id: number, @Req() request: ApiRequest) {
    const user = await this.directory.user(id);
    if (!user) throw notFound('user');
    if (user.isOperator) requirePerson(request);
    await this.erasures.requestAsOperator(id);
  }
}
