import type { UploadTicket } from '#upload';
import { IntegerField, JsonField, TextField, TimeField } from '../http/index.ts';

export class UploadAnswer {
  @IntegerField({ description: 'Identifier of the upload.', example: 7 })
  upload_id!: number;

  @TextField({
    description: 'Where to PUT the bytes, without a token.',
    example: 'http://127.0.0.1:3000/storage/staging/wYb1…?expires=…&max_bytes=…&signature=…',
    format: 'uri',
  })
  signed_url!: string;

  @TextField({
    description: 'URL of the file once it is finalized.',
    example: 'http://127.0.0.1:3000/files/wYb1…/portrait.jpg',
    format: 'uri',
  })
  final_url!: string;

  @TimeField({ description: 'When `signed_url` stops taking bytes.' })
  expires_at!: Date;

  @JsonField({
    description: 'Headers that the PUT should send.',
    example: {
      'Content-Type': 'image/jpeg',
      'Cache-Control': 'max-age=315360000',
      Expires: 'Tue, 18 Nov 2036 07:30:00 GMT',
    },
  })
  headers!: Readonly<Record<string, string>>;
}

export function uploadAnswer(ticket: UploadTicket): UploadAnswer {
  return {
    upload_id: ticket.uploadId,
    signed_url: ticket.signedUrl,
    final_url: ticket.finalUrl,
    expires_at: ticket.expiresAt,
    headers: ticket.headers,
  };
}
