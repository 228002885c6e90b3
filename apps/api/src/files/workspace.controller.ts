import { Controller, Get, HttpCode, Inject, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  FILE_MODES,
  MAX_SIGNED_SECONDS,
  MIN_SIGNED_SECONDS,
  PrivateFiles,
  SignedFiles,
  type FileMode,
  type WorkspaceFilesView,
} from '#files';
import type { Actor } from '#identity';
import { canonicalText, FITS, FORMATS, MAX_EDGE, transformationOf, type Fit, type Format } from '#transformation';
import {
  BooleanField,
  ChoiceField,
  CurrentActor,
  IdsField,
  IntegerField,
  ListField,
  May,
  ObjectField,
  Post,
  RequestBody,
  Responds,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { FILE_URL } from './picture.dto.ts';

const MAX_SIGNED_FILES = 500;
const OPTIONAL = { required: false, nullable: true } as const;
const EDGE = { min: 1, max: MAX_EDGE, ...OPTIONAL };

class WorkspaceFilesRequest {
  @ChoiceField(FILE_MODES, 'Who can read the files: anyone who has a URL, or who has a signed one.', {
    example: 'private',
  })
  files!: FileMode;
}

class FilesMovingDto {
  @IntegerField('Files that have moved.', { example: 120 }) done!: number;
  @IntegerField('All files of the workspace.', { example: 400 }) total!: number;
}

class WorkspaceFilesResponse {
  @IntegerField('Identifier of the workspace.', { example: 7 }) workspace_id!: number;

  @ChoiceField(FILE_MODES, 'Who can read the files: anyone who has a URL, or who has a signed one.', {
    example: 'public',
  })
  files!: FileMode;

  @ObjectField(() => FilesMovingDto, 'The progress of a switch: until it is done, former URLs open too. Else null.', {
    nullable: true,
  })
  moving!: FilesMovingDto | null;

  @TimeField('When the key was rotated last that signs URLs; null for never.', { nullable: true })
  file_key_rotated_at!: Date | null;
}

function workspaceFilesResponse({ files, moving }: WorkspaceFilesView): WorkspaceFilesResponse {
  return {
    workspace_id: files.workspaceId,
    files: files.filesArePrivate ? 'private' : 'public',
    moving: moving && { ...moving },
    file_key_rotated_at: files.keyRotatedAt,
  };
}

/** The caller's workspace. */
@Controller('v2/workspace')
export class WorkspaceController {
  constructor(@Inject(PrivateFiles) private readonly files: PrivateFiles) {}

  @Get()
  @Responds(200, WorkspaceFilesResponse, {
    id: 'workspace.get',
    summary: 'Read who can read the files',
    description: 'Reads who can read the files of the workspace. Returns it, with the progress of a switch.',
  })
  async getWorkspace(@CurrentActor() { workspaceId }: Actor) {
    return workspaceFilesResponse(await this.files.get(workspaceId));
  }

  @Put()
  @May('workspace.manage')
  @Responds(202, WorkspaceFilesResponse, {
    id: 'workspace.update',
    summary: 'Choose who can read the files',
    description:
      'Chooses who can read the files of the workspace. Returns the progress. With `private` each URL of a file in a ' +
      'response is signed, and expires; responses have such URLs at once. Existing files move in the background, in both ' +
      'directions: until all have moved, former URLs open too, and then unsigned, expired and changed ones are 404. Responds ' +
      'with 200 when no file has to move. Only for admins and the owner.',
    also: { 200: [WorkspaceFilesResponse] },
    errors: ['conflict'],
  })
  async putWorkspace(
    @CurrentActor() actor: Actor,
    @RequestBody() { files }: WorkspaceFilesRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const changed = await this.files.change(actor, files);
    response.status(changed.moving ? 202 : 200);
    return workspaceFilesResponse(changed);
  }

  @Post('file_key/rotate')
  @May('workspace.manage')
  @Responds(200, WorkspaceFilesResponse, {
    id: 'workspace.fileKey.rotate',
    summary: 'Rotate the key that signs URLs of files',
    description:
      'Replaces the key that signs the URLs of private files. Returns when. URLs that were signed with the former key open ' +
      'for one more hour, those of older keys no longer. Only for admins and the owner.',
  })
  async postRotation(@CurrentActor() actor: Actor) {
    return workspaceFilesResponse(await this.files.rotateKey(actor));
  }
}

class SignFilesRequest {
  @IdsField('Files of the workspace.', { max: MAX_SIGNED_FILES, example: [12, 13] }) file_ids!: number[];

  @IntegerField('Seconds until the URLs expire. Default: those of URLs in responses.', {
    example: 3600,
    min: MIN_SIGNED_SECONDS,
    max: MAX_SIGNED_SECONDS,
    required: false,
    nullable: true,
  })
  expires_in?: number | null;

  @IntegerField('Width in pixels, snapped up to one of twelve steps. See docs/files.md.', { ...EDGE, example: 640 })
  w?: number | null;
  @IntegerField('Height in pixels, snapped up to one of twelve steps.', EDGE) h?: number | null;
  @ChoiceField(FITS, 'How the picture fills width and height; `inside` by default.', OPTIONAL) fit?: Fit | null;
  @IntegerField('Quality; 80 by default.', { min: 1, max: 100, ...OPTIONAL }) q?: number | null;
  @ChoiceField(FORMATS, 'Format; `auto` by default: what the client accepts.', OPTIONAL) fm?: Format | null;
  @BooleanField('Draws the operator\'s label on the picture, such as "AI-generated".', OPTIONAL) label?: boolean | null;
}

/** The text of a transformation, as URLs have it; none without any option. */
function optionsOf({ w, h, fit, q, fm, label }: SignFilesRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ w, h, fit, q, fm, label })) if (value) query.set(name, String(value));
  const transformation = transformationOf(query);
  return transformation ? canonicalText(transformation) : '';
}

class SignedFileDto {
  @IntegerField('Identifier of the file.', { example: 12 }) file_id!: number;
  @UrlField('A URL of the file.', { example: FILE_URL }) url!: string;
  @TimeField('When the URL expires; null for never.', { nullable: true }) expires_at!: Date | null;
}

class SignedFilesResponse {
  @ListField(() => SignedFileDto, 'The URLs, in the order of the request.') urls!: SignedFileDto[];
}

@Controller('v2/files')
export class FilesController {
  constructor(@Inject(SignedFiles) private readonly files: SignedFiles) {}

  @Post('sign')
  @HttpCode(200)
  @Responds(200, SignedFilesResponse, {
    id: 'files.sign',
    summary: 'Sign URLs of files',
    description:
      'Makes URLs of files of the workspace. Returns one for each. In a private workspace they are signed, and expire after ' +
      '`expires_in`; in a public one they do not expire. With options of a transformation they show pictures in that size and ' +
      'format. When a file is unknown, the error names it, and none is signed.',
    errors: ['not_found'],
  })
  async postSign(@CurrentActor() actor: Actor, @RequestBody() body: SignFilesRequest) {
    const { file_ids, expires_in } = body;
    const options = optionsOf(body);
    const signed = await this.files.sign(actor, file_ids, { seconds: expires_in ?? undefined, options });
    return { urls: signed.map(({ id, url, expiresAt }) => ({ file_id: id, url, expires_at: expiresAt })) };
  }
}
