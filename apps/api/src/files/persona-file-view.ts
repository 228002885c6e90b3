import type { PersonaFile } from '#files';
import { BooleanField, IntegerField, TextField, TimeField } from '../http/index.ts';

/** A file that lives with a persona. */
export class PersonaFileView {
  @IntegerField({ description: 'Identifier of the file.', example: 12 })
  id!: number;

  @TextField({ description: 'Its name.', example: 'portrait.jpg' })
  filename!: string;

  @TextField({
    description: 'Its public URL.',
    example: 'http://127.0.0.1:3000/files/wYb1…/portrait.jpg',
    format: 'uri',
  })
  url!: string;

  @IntegerField({ description: 'Its bytes.', example: 2_831_155, min: 0 })
  size!: number;

  @TextField({ description: 'Its media type.', example: 'image/jpeg' })
  content_type!: string;

  @BooleanField({ description: 'Whether it is deleted after a time.', example: false })
  temporary!: boolean;

  @TimeField({ description: 'When it was saved.' })
  created_at!: Date;

  @TimeField({ description: 'When a temporary file is deleted; null for others.', nullable: true })
  expires_at!: Date | null;
}

export function personaFileView({ file, url }: PersonaFile): PersonaFileView {
  const { id, filename, size, contentType, createdAt, expiresAt } = file;
  return {
    id,
    filename,
    url,
    size,
    content_type: contentType,
    temporary: expiresAt !== null,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}
