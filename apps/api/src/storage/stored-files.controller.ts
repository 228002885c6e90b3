import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DiskObjectStorage } from '#adapters/storage';
import { notFound } from '#kernel';
import { fileKeyOfPath } from '#files';
import { pathOf, Public, Unlimited } from '../http/index.ts';
import { serveObject } from './serve-object.ts';

const PATH = '/files/';

/** The public files of the disk store. */
@ApiExcludeController()
@Controller('files')
@Public()
@Unlimited()
export class StoredFilesController {
  constructor(@Inject(DiskObjectStorage) private readonly storage: DiskObjectStorage) {}

  @Get(':token/:filename')
  async getFile(@Req() request: Request, @Res() response: Response): Promise<void> {
    // Of the path as it was sent: what routing makes of it is not what was signed off as a key.
    const path = pathOf(request);
    const key = path.startsWith(PATH) ? fileKeyOfPath(path.slice(PATH.length)) : null;
    if (key === null) throw notFound('file');
    await serveObject(request, response, this.storage, key);
  }
}
