import { Controller, Get, Inject, Module } from '@nestjs/common';
import type { Actor } from '#identity';
import { Uploads, type IssuedUrls } from '#files';
import { FilesModule } from '#wiring';
import {
  type ApiRequest,
  CurrentActor,
  CurrentRequest,
  Post,
  RequestBody,
  RequestLimits,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import {
  AllocateUploadRequest,
  AllocateUploadsRequest,
  FinalizedUploadResponse,
  finalizedUploadResponse,
  FinalizeUploadQuery,
  UploadResponse,
  uploadRequest,
  uploadResponse,
  UploadsResponse,
} from './files.dto.ts';
import { PersonaFilesController } from './persona-files.controller.ts';
import { FilesController, WorkspaceController } from './workspace.controller.ts';

@Controller('v2')
export class UploadsController {
  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {}

  @Post('upload')
  @Responds(201, UploadResponse, {
    id: 'uploads.create',
    summary: 'Get a URL to send a file to',
    description:
      'Prepares the upload of one file. Returns a signed URL for its bytes, and its final URL. PUT the bytes to ' +
      '`signed_url`, then call `finalize_upload` with `final_url`. With `parts`, PUT each part to the ' +
      '`signed_url` of its number, in any order, several at once; a part that failed can be sent again. ' +
      '`finalize_upload` joins the parts. Uploads that are not finalized within a day are deleted.',
    errors: ['not_found', 'quota_exceeded', 'unsupported_file_type', 'no_persona'],
  })
  async postUpload(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestBody() body: AllocateUploadRequest,
  ) {
    const ticket = await this.uploads.allocate(actor, uploadRequest(body));
    return uploadResponse(ticket, urls);
  }

  @Post('uploads')
  @Responds(201, UploadsResponse, {
    id: 'uploads.createMany',
    summary: 'Get URLs to send several files to',
    description:
      'Prepares the upload of several files at once: all of them or none. Returns for each file what ' +
      '`POST /v2/upload` does, in the order of the request. An error names the file by its index, as `files[3]`. ' +
      'For the rate limit, each file counts as a request.',
    errors: ['not_found', 'quota_exceeded', 'unsupported_file_type', 'no_persona'],
  })
  async postUploads(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @CurrentRequest() request: ApiRequest,
    @RequestBody() { files }: AllocateUploadsRequest,
  ) {
    await this.limits.countAs(files.length, request);
    const tickets = await this.uploads.allocateAll(actor, files.map(uploadRequest));
    return { uploads: tickets.map((ticket) => uploadResponse(ticket, urls)) };
  }

  @Get('finalize_upload')
  @Responds(200, FinalizedUploadResponse, {
    id: 'uploads.finalize',
    summary: 'Save an uploaded file',
    description:
      'Saves an uploaded file under its final URL. Returns the file. The bytes present at the first call are ' +
      'checked and saved; bytes that are sent later change nothing. Pictures lose their metadata where ' +
      '`upload_metadata` in `GET /v2/auth/me` is `strip`. Can be repeated. While parts are missing, the error is ' +
      '`not_uploaded` and names the parts. An upload in parts whose content is refused cannot be sent again: ' +
      'create another upload. A temporary file is deleted 12 hours after this call.',
    errors: [
      'forbidden',
      'not_found',
      'quota_exceeded',
      'not_uploaded',
      'file_type_mismatch',
      'too_large',
      'file_expired',
      'conflict',
    ],
  })
  async getFinalizeUpload(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestQuery() { url }: FinalizeUploadQuery,
  ) {
    return finalizedUploadResponse(await this.uploads.finalize(actor, url), urls);
  }
}

@Module({
  imports: [FilesModule],
  controllers: [FilesController, PersonaFilesController, UploadsController, WorkspaceController],
})
export class FilesApiModule {}
