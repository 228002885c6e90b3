import { Controller, Get, Inject, Module } from '@nestjs/common';
import { StoredUrls } from '#files';
import type { Actor } from '#identity';
import { invalidField, notFound } from '#kernel';
import { MAX_CHECKED_BYTES, Provenances } from '#provenance';
import { ProvenanceReadsModule } from '#wiring';
import { CurrentActor, Existing, LaterBody, PathId, Post, Responds, TakesFile } from '../http/index.ts';
import {
  CheckRequest,
  CheckResponse,
  checkResponse,
  ProvenanceResponse,
  provenanceResponse,
} from './provenance.dto.ts';

@Controller('v2')
export class ProvenanceController {
  constructor(
    @Inject(Provenances) private readonly provenances: Provenances,
    @Inject(StoredUrls) private readonly urls: StoredUrls,
  ) {}

  @Get('library/:file_id/provenance')
  @Existing('item', 'file_id')
  @Responds(200, ProvenanceResponse, {
    id: 'library.provenance.get',
    summary: 'Read where a file comes from',
    description:
      'Reads how a file of the library was made, and the marks in its bytes. Returns the generation, its model and the files ' +
      'that went into it, and each mark: whose it is, whether the bytes are still those that were signed, and whether the ' +
      'operator trusts the signer.',
  })
  async getProvenance(@CurrentActor() { workspaceId }: Actor, @PathId('file_id') fileId: number) {
    return provenanceResponse(await this.provenances.of(workspaceId, fileId));
  }

  @Post('provenance/check')
  @TakesFile({ field: 'file', maxBytes: MAX_CHECKED_BYTES })
  @Responds(200, CheckResponse, {
    id: 'provenance.check',
    summary: 'Find the marks in a file',
    description:
      'Finds the marks that say that AI made a file: of a stored file of the workspace by its `url`, or of any file that is the ' +
      'body of the request, of 50 MB at most. Returns the marks; none of a file without them. The file is not stored. One file ' +
      'of a workspace is checked at a time.',
    errors: ['not_found', 'too_large'],
    // A read, of more bytes than are worth to be compared.
    keptBy: 'nobody',
  })
  async postCheck(@CurrentActor() { workspaceId }: Actor, @LaterBody(CheckRequest) body: () => Promise<CheckRequest>) {
    const marks = await this.provenances.check(workspaceId, async () => {
      const { url, file } = await body();
      if (url === undefined && !file) throw invalidField('url', 'is required, or a file');
      if (url === undefined) return { bytes: file! };
      const key = this.urls.keyOf(url);
      if (key === null) throw notFound('file');
      return { key };
    });
    return checkResponse(marks);
  }
}

@Module({ imports: [ProvenanceReadsModule], controllers: [ProvenanceController] })
export class ProvenanceApiModule {}
