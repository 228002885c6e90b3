import { isUtf8 } from 'node:buffer';
import Busboy from 'busboy';
import { DomainError, invalidField } from '#kernel';
import type { FieldValues } from '../request.ts';
import { FieldCollector, MAX_FIELDS } from './field-collector.ts';

/**
 * The fields of a `multipart/form-data` body. File parts are refused: files are uploaded to the storage by signed URL.
 *
 * @throws DomainError `validation_failed`
 */
export function parseMultipart(body: Buffer, contentType: string): Promise<FieldValues> {
  return new Promise((resolve, reject) => {
    const fields = new FieldCollector();
    let refusal: unknown;
    // The parser continues after an error; the first one counts.
    const refuse = (error: unknown): void => void (refusal ??= error);
    const parser = open(contentType, body.length);
    parser.on('field', (name: string | undefined, value) => {
      try {
        fields.add(name ?? '', value);
      } catch (error) {
        refuse(error);
      }
    });
    parser.on('file', (name: string | undefined, stream) => {
      refuse(invalidField(name ?? 'body', 'must be a field, not a file: upload files with POST /v2/upload'));
      stream.on('error', refuse).resume();
    });
    parser.on('partsLimit', () => refuse(invalidField('body', `must have at most ${MAX_FIELDS} fields`)));
    parser.on('error', (cause) => {
      refuse(malformed(cause));
      parser.destroy();
    });
    parser.on('close', () => {
      if (refusal === undefined && !isUtf8(body)) refuse(invalidField('body', 'must be UTF-8'));
      if (refusal === undefined) resolve(fields.record);
      else reject(refusal as Error);
    });
    parser.end(body);
  });
}

function open(contentType: string, size: number): Busboy.Busboy {
  try {
    return Busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      // No value is larger than the body; one part more than allowed triggers `partsLimit`.
      limits: { fieldSize: size, fieldNameSize: size, parts: MAX_FIELDS + 1 },
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

function malformed(cause: unknown): DomainError {
  const fields = { body: ['must be valid multipart/form-data'] };
  return new DomainError('validation_failed', 'the body is not valid multipart/form-data', { fields, cause });
}
