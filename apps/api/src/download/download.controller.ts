import { Controller, Get, Inject, Logger, Module, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Settings } from '#config';
import { Downloads } from '#download';
import type { Actor, TokenSecret } from '#identity';
import { DownloadModule, settings } from '#wiring';
import { CurrentActor, Post, Public, RequestBody, Responds } from '../http/index.ts';
import { DownloadRequest, DownloadResponse, selectionOf } from './download.dto.ts';
import { sendChunks } from './send-chunks.ts';

@Controller('v2/downloads')
export class DownloadController {
  readonly #publicUrl: string;
  readonly #logger = new Logger('Downloads');

  constructor(
    @Inject(Downloads) private readonly downloads: Downloads,
    @Inject(settings) { http }: Settings,
  ) {
    this.#publicUrl = http.publicUrl;
  }

  @Post()
  @Responds(201, DownloadResponse, {
    id: 'downloads.create',
    summary: 'Download many files',
    description:
      'Makes a link to a zip of the original files of exactly one of: a board, a folder, media items, generations, library ' +
      'items. Returns the URL, which is good for ten minutes and works in a browser. The zip has the files in folders and ' +
      '`index.csv` with name, prompt, model, seed, cost, customer and metadata; 10,000 files at most. Ids that are not in ' +
      'the workspace get 404; items that are not ready yet get 409 `conflict`, whose message names them. With `label` the pictures ' +
      'that AI made are labelled copies; `MISSING.txt` names those that take no label.',
    errors: ['not_found', 'conflict'],
  })
  async postDownload(@CurrentActor() actor: Actor, @RequestBody() body: DownloadRequest) {
    const { secret, expiresAt, files, bytes } = await this.downloads.create(actor, selectionOf(body), body.label);
    return { url: `${this.#publicUrl}/v2/downloads/${secret}`, expires_at: expiresAt, files, bytes };
  }

  @Get(':secret')
  @Public()
  @Responds(200, null, {
    id: 'downloads.download',
    summary: 'Receive the zip of a link',
    description:
      'Streams the zip of a link, with the files as they are now. Returns the bytes. A file that is deleted meanwhile stands ' +
      'in `MISSING.txt`. One download runs at a time for each user: another gets 409 `download_running`.',
    errors: ['not_found', 'download_running'],
    contentType: 'application/zip',
  })
  async getZip(@Param('secret') secret: string, @Req() request: Request, @Res() response: Response) {
    if (request.method === 'HEAD') await this.downloads.check(secret as TokenSecret);
    const chunks = request.method === 'HEAD' ? null : await this.downloads.open(secret as TokenSecret);
    const day = new Date().toISOString().slice(0, 10);
    response.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="x12-${day}.zip"`,
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    if (!chunks) {
      response.end();
      return;
    }
    // The response has begun: an error can only end it.
    await sendChunks(response, chunks).catch((error: unknown) => this.#logger.error('a download has failed', error));
  }
}

@Module({ imports: [DownloadModule], controllers: [DownloadController] })
export class DownloadApiModule {}
