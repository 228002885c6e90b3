import type { StoredFile, FileUrls, UploadRequest, UploadTicket } from '#files';
import type { Metadata } from '#kernel';
import { FILE_URL, PictureDto, pictureUrls } from './picture.dto.ts';
import {
  BooleanField,
  CustomDataDto,
  customDataOf,
  CustomDataRequest,
  dtoOf,
  IntegerField,
  JsonField,
  ListField,
  ObjectsField,
  PageResponse,
  ShownCustomer,
  ShownMetadata,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

export class AllocateUploadRequest extends CustomDataRequest {
  @TextField(
    'Name of the file, at most 255 bytes, with an extension of a supported type. A file whose name starts with ' +
      '`x12tmp-` is temporary.',
    { example: 'portrait.jpg' },
  )
  filename!: string;

  @IntegerField(
    'Persona that the file is added to. Default: the first persona that the caller created, or else a new persona ' +
      'named `Default`.',
    { example: 1, min: 1, required: false, nullable: true },
  )
  pid?: number | null;

  @IntegerField(
    'Number of parts in which the bytes are sent. Default: no parts. All parts but the last need at least 5 MiB.',
    { example: 3, min: 1, max: 10_000, required: false, nullable: true },
  )
  parts?: number | null;
}

export function uploadRequest(body: AllocateUploadRequest): UploadRequest {
  return { filename: body.filename, personaId: body.pid, parts: body.parts, ...customDataOf(body) };
}

export class UploadPartDto {
  @IntegerField('Number of the part; parts follow each other in this order.', { example: 1 }) part_number!: number;

  @TextField('Where to PUT the bytes of the part, without a token.', {
    example: 'http://127.0.0.1:3000/storage/staging/wYb1.x7Qf.1?expires=1795246200&max_bytes=1048576&signature=q3Zk',
    format: 'uri',
  })
  signed_url!: string;
}

export class UploadResponse extends CustomDataDto {
  @IntegerField('Identifier of the upload.', { example: 7 }) upload_id!: number;

  @TextField('Where to PUT the bytes, without a token; null for an upload in parts.', {
    example: 'http://127.0.0.1:3000/storage/staging/wYb1?expires=1795246200&max_bytes=1048576&signature=q3Zk',
    format: 'uri',
    nullable: true,
  })
  signed_url!: string | null;

  @ListField(() => UploadPartDto, 'Where to PUT each part; only for an upload in parts.', { required: false })
  parts?: UploadPartDto[];

  @TextField('URL of the file once it is finalized.', { example: FILE_URL, format: 'uri' }) final_url!: string;
  @TimeField('When the signed URLs expire.') expires_at!: Date;

  @JsonField('Headers that the PUT should send.', {
    example: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'max-age=315360000',
      Expires: 'Tue, 18 Nov 2036 07:30:00 GMT',
    },
  })
  headers!: Readonly<Record<string, string>>;
}

export function uploadResponse(ticket: UploadTicket, urls: FileUrls): UploadResponse {
  const parts = ticket.partUrls?.map((url, index) => ({ part_number: index + 1, signed_url: url }));
  return {
    upload_id: ticket.uploadId,
    customer: ticket.customer,
    metadata: ticket.metadata,
    signed_url: ticket.signedUrl,
    ...(parts && { parts }),
    final_url: urls.urlOf(ticket.key),
    expires_at: ticket.expiresAt,
    headers: ticket.headers,
  };
}

/** Maximum files of one call. */
const MAX_FILES = 100;

export class AllocateUploadsRequest {
  @ObjectsField(() => AllocateUploadRequest, `The files, at most ${MAX_FILES}, and 10,000 parts together.`, {
    example: [{ filename: 'one.jpg' }, { filename: 'two.jpg', pid: 1 }],
    max: MAX_FILES,
  })
  files!: readonly AllocateUploadRequest[];
}

export class UploadsResponse {
  @ListField(() => UploadResponse, 'An upload for each file, in the order of the request.') uploads!: UploadResponse[];
}

export class FinalizeUploadQuery {
  @UrlField('`final_url` of the upload.', { example: FILE_URL }) url!: string;
}

export class FinalizedUploadResponse extends CustomDataDto {
  @TextField('Public URL of the file.', { example: FILE_URL, format: 'uri' }) url!: string;
  @IntegerField('Bytes of the file.', { example: 2_831_155, min: 0 }) size!: number;
  @TextField('Its media type, as found in the bytes.', { example: 'image/jpeg' }) content_type!: string;
  @TimeField('When a temporary file is deleted; null for others.', { nullable: true }) expires_at!: Date | null;
}

export function finalizedUploadResponse(file: StoredFile, urls: FileUrls): FinalizedUploadResponse {
  return dtoOf(FinalizedUploadResponse, { ...file, url: urls.urlOf(file.key) });
}

export class PersonaFilesQuery {
  @BooleanField('Only temporary files, or only permanent ones; both by default.', { example: true, required: false })
  temporary?: boolean;
}

/** A file of a persona. */
export class PersonaFileDto extends PictureDto {
  @IntegerField('Identifier of the file.', { example: 12 }) id!: number;
  @TextField('Its name.', { example: 'portrait.jpg' }) filename!: string;
  @IntegerField('Its bytes.', { example: 2_831_155, min: 0 }) size!: number;
  @BooleanField('Whether it is deleted after a time.', { example: false }) temporary!: boolean;
  @ShownCustomer() customer!: string | null;
  @ShownMetadata() metadata!: Metadata | null;
  @TimeField('When it was saved.') created_at!: Date;
  @TimeField('When a temporary file is deleted; null for others.', { nullable: true }) expires_at!: Date | null;
}

export function personaFileDto(file: StoredFile, urls: FileUrls): PersonaFileDto {
  return dtoOf(PersonaFileDto, { ...file, ...pictureUrls(file, urls), temporary: file.expiresAt !== null });
}

export class PersonaFilesResponse extends PageResponse {
  @ListField(() => PersonaFileDto, 'Files of the persona, newest first.') files!: PersonaFileDto[];
}
