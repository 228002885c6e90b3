import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Module, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuditEntries, AuditFilter } from '#audit-log';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { auditEntries } from '#wiring';
import { CurrentActor, cursorOf, jsonOf, May, PageQuery, RequestQuery, Responds } from '../http/index.ts';
import { CSV_HEADER, csvOf } from './audit-csv.ts';
import { auditEntryDto, auditFilterOf, AuditQuery, AuditResponse } from './audit-log.dto.ts';

const toJson = jsonOf(AuditResponse);

/** Entries that the CSV reads at a time. */
const CSV_PAGE = 1000;

@Controller('v2/audit')
export class AuditLogController {
  constructor(@Inject(auditEntries) private readonly entries: AuditEntries) {}

  @Get()
  @May('audit.read')
  @Responds(200, AuditResponse, {
    id: 'audit.list',
    summary: 'Read who did what in the workspace',
    description:
      'Lists what was done in the workspace: sign-ins, changes of accounts, tokens, team, plan, credits and webhook ' +
      'secrets, deletions and restorations. Returns the entries newest first. Only for admins and the owner. With ' +
      '`Accept: text/csv` the response is CSV with all entries that match; `limit` and `cursor` then have no effect.',
    contentType: 'application/json',
    otherType: 'text/csv',
  })
  async getAudit(
    @CurrentActor() { workspaceId }: Actor,
    @RequestQuery() query: AuditQuery,
    @PageQuery() page: PageRequest,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const filter = auditFilterOf(query);
    if (request.accepts('json', 'text/csv') === 'text/csv') return this.#sendCsv(workspaceId, filter, response);
    const { items, next } = await this.entries.page(workspaceId, filter, page);
    response.type('json').send(toJson({ entries: items.map(auditEntryDto), next_cursor: cursorOf(next) }));
  }

  async #sendCsv(workspaceId: number, filter: AuditFilter, response: Response): Promise<void> {
    response.type('text/csv').attachment('audit.csv');
    await pipeline(Readable.from(this.#csv(workspaceId, filter)), response);
  }

  /** Reads a page when the client has taken the one before. */
  async *#csv(workspaceId: number, filter: AuditFilter): AsyncGenerator<string> {
    yield CSV_HEADER;
    for (let after: number | null = null; ;) {
      const { items, next } = await this.entries.page(workspaceId, filter, { limit: CSV_PAGE, after });
      if (items.length > 0) yield items.map(csvOf).join('');
      if (next === null) return;
      after = next;
    }
  }
}

@Module({ controllers: [AuditLogController] })
export class AuditLogApiModule {}
