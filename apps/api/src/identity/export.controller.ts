import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Settings } from '#config';
import { Exports, type ReadyExport } from '#export';
import type { ObjectStorage } from '#files';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { objectStorage, settings } from '#wiring';
import { CurrentActor, LimitFailures, listOf, pageOfWhole, PageQuery, PathId, Post, Responds } from '../http/index.ts';
import { servableStorage, serveObject } from '../storage/serve-object.ts';
import { exportDto, ExportResponse, ExportsResponse } from './export.dto.ts';

/** Exports read all of an account. */
const REQUESTS = { name: 'exports', perAddress: 30, perValue: 5, counts: 'all' } as const;

@Controller('v2/auth')
export class ExportController {
  private readonly publicUrl: string;

  constructor(
    @Inject(Exports) private readonly exports: Exports,
    @Inject(objectStorage) private readonly storage: ObjectStorage,
    @Inject(settings) { http }: Settings,
  ) {
    this.publicUrl = http.publicUrl;
  }

  @Post('export')
  @LimitFailures(REQUESTS)
  @Responds(202, ExportResponse, {
    id: 'auth.exports.create',
    summary: "Export the caller's data",
    description:
      "Makes a zip of the caller's account and personal workspace in the background: JSON documents, and the files " +
      'as they are. Returns the export; one that is under way already is returned instead of a second one. The new ' +
      'export replaces a ready one, whose zip is deleted. A mail says when it is ready.',
  })
  async postExport(@CurrentActor() actor: Actor) {
    return this.response(await this.exports.request(actor));
  }

  @Get('exports')
  @Responds(200, ExportsResponse, {
    id: 'auth.exports.list',
    summary: "List the caller's exports",
    description:
      'Lists the exports of the caller; ended ones are forgotten after 30 days. Returns a page of them, newest first.',
  })
  async getExports(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest) {
    return listOf('exports', pageOfWhole(await this.exports.list(actor), page), (each) =>
      exportDto(each, this.publicUrl),
    );
  }

  @Get('exports/:id')
  @Responds(200, ExportResponse, {
    id: 'auth.exports.get',
    summary: 'Follow an export',
    description:
      'Reads the state of an export of the caller. Returns the export, with a URL of the zip while it is `ready`.',
  })
  async getExport(@CurrentActor() actor: Actor, @PathId('id') exportId: number) {
    return this.response(await this.exports.find(actor, exportId));
  }

  @Get('exports/:id/zip')
  @Responds(200, null, {
    id: 'auth.exports.download',
    summary: 'Download an export',
    description:
      'Sends the zip of a ready export to its owner, whole or the range of the header `Range`. Returns the bytes. ' +
      'Responds with 410 when the export has expired, and with 409 while it is not ready.',
    errors: ['conflict', 'file_expired'],
    contentType: 'application/zip',
  })
  async getZip(
    @CurrentActor() actor: Actor,
    @PathId('id') exportId: number,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    const ready = await this.exports.findReady(actor, exportId);
    const storage = servableStorage(this.storage);
    const serve = async (key: string) => {
      const object = await storage.serve(key);
      return object && { ...object, headers: headersOf(ready) };
    };
    await serveObject(request, response, { serve }, ready.key);
  }

  private response(shown: Parameters<typeof exportDto>[0]): ExportResponse {
    return { export: exportDto(shown, this.publicUrl) };
  }
}

/** Whatever headers the storage keeps: the zip is the caller's alone. */
function headersOf({ createdAt }: ReadyExport) {
  const day = createdAt.toISOString().slice(0, 10);
  return {
    contentType: 'application/zip',
    cacheControl: 'private, no-store',
    contentDisposition: `attachment; filename="x12-export-${day}.zip"`,
  };
}
