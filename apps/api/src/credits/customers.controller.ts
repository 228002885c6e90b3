import { Controller, Get, Inject, Param, Put } from '@nestjs/common';
import { Customers, monthOf, type CustomerStore, type CustomerView } from '#credits';
import { MAX_MONTHLY_CREDITS, type Actor } from '#identity';
import type { Clock, PageRequest } from '#kernel';
import { clock, customerStore } from '#wiring';
import {
  CurrentActor,
  dtoOf,
  IntegerField,
  ListField,
  listOf,
  May,
  ObjectField,
  PageQuery,
  PageResponse,
  RequestBody,
  Responds,
  TextField,
  TimeField,
} from '../http/index.ts';

const OPTIONAL = { required: false, nullable: true } as const;

/** Fields that are absent keep their values. */
class CustomerRequest {
  @TextField('A name for people; null for none.', { example: 'Ada', max: 255, ...OPTIONAL }) name?: string | null;

  @IntegerField('Credits that may be spent for the customer in a calendar month (UTC); null for no limit.', {
    example: 500,
    min: 0,
    max: MAX_MONTHLY_CREDITS,
    ...OPTIONAL,
  })
  monthly_credits?: number | null;

  @IntegerField('Credits that may be spent for the customer in all; null for no limit.', {
    example: 10_000,
    min: 0,
    max: MAX_MONTHLY_CREDITS,
    ...OPTIONAL,
  })
  total_credits?: number | null;
}

class CreditSumDto {
  @IntegerField('Credits reserved or charged.', { example: 42 }) used!: number;
  @IntegerField('Credits among them that are reserved for generations that have not ended.', { example: 4 })
  reserved!: number;
}

class CustomerDto {
  @IntegerField('Identifier; the list is in its order.', { example: 12 }) id!: number;
  @TextField('The `customer` of the calls.', { example: 'user-4711' }) customer!: string;
  @TextField('Name.', { example: 'Ada', nullable: true }) name!: string | null;
  @IntegerField('Credits a month; null for no limit.', { example: 500, nullable: true })
  monthly_credits!: number | null;
  @IntegerField('Credits in all; null for no limit.', { example: null, nullable: true }) total_credits!: number | null;
  @ObjectField(() => CreditSumDto, 'Credits of this calendar month, UTC.') month!: CreditSumDto;
  @ObjectField(() => CreditSumDto, 'Credits of all months.') total!: CreditSumDto;
  @TimeField('When it was first named, by a reservation of credits or by this API.') created_at!: Date;
}

class CustomerResponse {
  @ObjectField(() => CustomerDto, 'The customer.') customer!: CustomerDto;
}

class CustomersResponse extends PageResponse {
  @ListField(() => CustomerDto, 'Customers of the workspace, newest first.') customers!: CustomerDto[];
}

const customerDto = (customer: CustomerView) => dtoOf(CustomerDto, customer);

@Controller('v2/customers')
export class CustomersController {
  constructor(
    @Inject(Customers) private readonly customers: Customers,
    @Inject(customerStore) private readonly store: CustomerStore,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @May('customer.manage')
  @Responds(200, CustomersResponse, {
    id: 'customers.list',
    summary: 'List customers',
    description:
      'Lists the customers of the workspace, newest first. Returns each with its budgets and what is used of them. ' +
      'Only for admins and the owner.',
  })
  async list(@CurrentActor() { workspaceId }: Actor, @PageQuery() page: PageRequest) {
    return listOf('customers', await this.store.list(workspaceId, page, monthOf(this.clock.now())), customerDto);
  }

  @Put(':customer')
  @May('customer.manage')
  @Responds(200, CustomerResponse, {
    id: 'customers.update',
    summary: 'Name a customer, and set their budgets',
    description:
      'Sets the name and the budgets of a customer; `customer` is the label, percent-encoded. Returns the customer, which ' +
      'is created if it is new. A budget below what is used of it is allowed: calls for the customer are then refused ' +
      'with `budget_exceeded` until there is room. Only for admins and the owner.',
  })
  async put(
    @CurrentActor() actor: Actor,
    @Param('customer') customer: string,
    @RequestBody() { name, monthly_credits: monthlyCredits, total_credits: totalCredits }: CustomerRequest,
  ) {
    return {
      customer: customerDto(await this.customers.save(actor, customer, { name, monthlyCredits, totalCredits })),
    };
  }
}
