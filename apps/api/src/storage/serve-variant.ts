import type { Request, Response } from 'express';
import { servingHeaders } from '#files';
import { notFound } from '#kernel';
import type { ServedVariant, Transformation, Variants } from '#transformation';
import { serveIfStored, type ServableStorage } from './serve-object.ts';

/** A variant of the file `key`. */
export interface WantedVariant {
  readonly key: string;
  readonly wanted: Transformation;
  /** Replaces that of the file, which anybody may keep. */
  readonly cacheControl?: string | undefined;
}

/**
 * Responds to a GET or HEAD with a variant of a file. One whose bytes are missing is made anew.
 *
 * @throws DomainError as `Variants.of`
 */
export async function serveVariant(
  request: Request,
  response: Response,
  { storage, variants }: { readonly storage: ServableStorage; readonly variants: Variants },
  { key, wanted, cacheControl }: WantedVariant,
): Promise<void> {
  if (wanted.format === 'auto') response.vary('Accept');
  const { accept } = request.headers;
  const serve = (variant: ServedVariant) => {
    const headers = { ...servingHeaders(variant), ...(cacheControl !== undefined && { cacheControl }) };
    return serveIfStored(request, response, storage, variant.key, headers);
  };
  const variant = await variants.of(key, wanted, accept);
  if (await serve(variant)) return;
  if (!(await serve(await variants.again(variant, key, wanted, accept)))) throw notFound('file');
}
