import { Controller, Inject, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DiskObjectStorage } from '#adapters/storage';
import { notFound } from '#kernel';
import { stagingKey } from '#files';
import { Public, Unlimited } from '../http/index.ts';
import { receiveObject } from './receive-object.ts';

/** What the signed URLs of the disk store lead to: the signature is all the permission that there is. */
@ApiExcludeController()
@Controller('storage')
@Public()
@Unlimited()
export class SignedUploadsController {
  constructor(@Inject(DiskObjectStorage) private readonly storage: DiskObjectStorage) {}

  @Put('staging/:name')
  async putObject(@Req() request: Request, @Res() response: Response): Promise<void> {
    const [, name, query = ''] = /^\/storage\/staging\/([\w.-]+)(?:\?(.*))?$/.exec(request.originalUrl) ?? [];
    if (name === undefined) throw notFound('upload');
    await receiveObject(request, response, this.storage, { key: stagingKey(name), query });
  }
}
