import { invalidField } from '#kernel';
import type { FieldValues } from '../http/index.ts';

/** The form of an edit: its fields, and the files of its pictures. */
export interface EditForm {
  readonly fields: FieldValues;
  readonly images: readonly Buffer[];
  readonly mask: Buffer | null;
}

/**
 * Reads `multipart/form-data` of `POST /v1/images/edits`.
 *
 * @throws DomainError `validation_failed`
 */
export async function readEdit(body: Buffer, contentType: string | undefined): Promise<EditForm> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType ?? '' } })
    .formData()
    .catch(() => {
      throw invalidField('body', 'must be valid multipart/form-data');
    });
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const files = new Map<string, Buffer[]>();
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      files.set(name, [...(files.get(name) ?? []), Buffer.from(await value.arrayBuffer())]);
    else if (value.includes('\0')) throw invalidField(name, 'must not hold NUL characters');
    else fields[name] = value;
  }
  const images = [...(files.get('image') ?? []), ...(files.get('image[]') ?? [])];
  if (images.length === 0) throw invalidField('image', 'is required');
  return { fields, images, mask: files.get('mask')?.[0] ?? null };
}
