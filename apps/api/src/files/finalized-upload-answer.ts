import type { SavedUpload } from '#files';
import { IntegerField, TextField } from '../http/index.ts';

export class FinalizedUploadAnswer {
  @TextField({
    description: 'Public URL of the file.',
    example: 'http://127.0.0.1:3000/files/wYb1…/portrait.jpg',
    format: 'uri',
  })
  url!: string;

  @IntegerField({ description: 'Bytes of the file.', example: 2_831_155, min: 0 })
  size!: number;

  @TextField({ description: 'Its media type, as found in the bytes.', example: 'image/jpeg' })
  content_type!: string;
}

export function finalizedUploadAnswer({ url, file }: SavedUpload): FinalizedUploadAnswer {
  return { url, size: file.size, content_type: file.contentType };
}
