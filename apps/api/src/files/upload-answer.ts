import type { UploadTicket } from '#files';
import { IntegerField, JsonField, ListField, TextField, TimeField } from '../http/index.ts';

export class UploadPartAnswer {
  @IntegerField({ description: 'Number of the part; parts follow each other in this order.', example: 1 })
  part_number!: number;

  @TextField({
    description: 'Where to PUT the bytes of the part, without a token.',
    example: 'http://127.0.0.1:3000/storage/staging/wYb1….x7Qf….1?expires=…&max_bytes=…&signature=…',
    format: 'uri',
  })
  signed_url!: string;
}

export class UploadAnswer {
  @IntegerField({ description: 'Identifier of the upload.', example: 7 })
  upload_id!: number;

  @TextField({
    description: 'Where to PUT the bytes, without a token; null for an upload in parts.',
    example: 'http://127.0.0.1:3000/storage/staging/wYb1…?expires=…&max_bytes=…&signature=…',
    format: 'uri',
    nullable: true,
  })
  signed_url!: string | null;

  @ListField(() => UploadPartAnswer, {
    description: 'Where to PUT each part; only for an upload in parts.',
    required: false,
  })
  parts?: UploadPartAnswer[];

  @TextField({
    description: 'URL of the file once it is finalized.',
    example: 'http://127.0.0.1:3000/files/wYb1…/portrait.jpg',
    format: 'uri',
  })
  final_url!: string;

  @TimeField({ description: 'When signed URLs stop taking bytes.' })
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
  const parts = ticket.partUrls?.map((url, index) => ({ part_number: index + 1, signed_url: url }));
  return {
    upload_id: ticket.uploadId,
    signed_url: ticket.signedUrl,
    ...(parts && { parts }),
    final_url: ticket.finalUrl,
    expires_at: ticket.expiresAt,
    headers: ticket.headers,
  };
}
