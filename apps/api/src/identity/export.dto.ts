import { EXPORT_STATES, type Export } from '#export';
import {
  ChoiceField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

export class ExportDto {
  @IntegerField('Identifier of the export.', { example: 4 }) id!: number;
  @ChoiceField(EXPORT_STATES, 'The zip can be downloaded while it is `ready`, for 24 hours.', { example: 'ready' })
  state!: Export['state'];

  @TimeField('When the export was requested.') created_at!: Date;
  @IntegerField('Bytes of the zip; null unless it is ready.', { example: 73_400_320, nullable: true })
  size!: number | null;

  @TimeField('When a ready zip expires; null for other exports.', { nullable: true }) expires_at!: Date | null;
  @TextField('Where the caller downloads the zip, with their token or session; null unless it is ready.', {
    example: 'http://127.0.0.1:3000/v2/auth/exports/4/zip',
    nullable: true,
  })
  url!: string | null;
}

export class ExportResponse {
  @ObjectField(() => ExportDto, 'The export.') export!: ExportDto;
}

export class ExportsResponse extends PageResponse {
  @ListField(() => ExportDto, "The caller's exports, newest first.") exports!: ExportDto[];
}

/** @param publicUrl of the API */
export function exportDto(shown: Export, publicUrl: string): ExportDto {
  const { id, state, createdAt: created_at } = shown;
  if (shown.state !== 'ready') return { id, state, created_at, size: null, expires_at: null, url: null };
  const url = `${publicUrl}/v2/auth/exports/${id}/zip`;
  return { id, state, created_at, size: shown.size, expires_at: shown.expiresAt, url };
}
