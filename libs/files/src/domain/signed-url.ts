/** A URL that opens a file of a private workspace until it expires. */
export interface SignedUrl {
  /** Key of the file. */
  readonly key: string;
  /** Unix seconds. */
  readonly expires: number;
  /** The link for guests with which the URL ends; `null` for a URL of the workspace. */
  readonly shareId: number | null;
  /** The query string of a transformation; empty for none. */
  readonly options: string;
}

/** How long URLs that were signed before a rotation of the key are still valid. */
export const FORMER_KEY_SECONDS = 3_600;
/** Limits of `expires_in` of a signed URL. */
export const MIN_SIGNED_SECONDS = 60;
export const MAX_SIGNED_SECONDS = 7 * 86_400;
const HOUR_SECONDS = 3_600;

/** The text that is signed. No part of it has a line break. */
export function signedTextOf({ key, expires, shareId, options }: SignedUrl): string {
  return ['GET file', key, expires, shareId ?? '', options].join('\n');
}

/** When the URLs of a response expire, in Unix seconds: at a full hour, so that caches know them, or when `end` comes first. */
export function expiryOfUrls(now: Date, ttlSeconds: number, end: Date | null): number {
  const expires = Math.ceil((now.getTime() / 1000 + ttlSeconds) / HOUR_SECONDS) * HOUR_SECONDS;
  return end ? Math.min(expires, Math.floor(end.getTime() / 1000)) : expires;
}

export function queryOfSigned({ expires, shareId, options }: SignedUrl, signature: string): string {
  const share = shareId === null ? '' : `&share=${shareId}`;
  return `${options && `${options}&`}expires=${expires}${share}&signature=${signature}`;
}

/** The parts of the query of a file's URL. */
export interface FileQuery {
  /** `null` without a signature, or if a part of it is malformed or stands twice. */
  readonly signed: (Omit<SignedUrl, 'key' | 'options'> & { readonly signature: string }) | null;
  /** The other parameters, as they stand in the URL. */
  readonly options: string;
}

const PARTS = { expires: /^[1-9][0-9]{0,14}$/, share: /^[1-9][0-9]{0,14}$/, signature: /^[\w-]{43}$/ };

/** Reads the query of a file's URL, without `?`. */
export function readFileQuery(query: string): FileQuery {
  const given: Record<keyof typeof PARTS, string[]> = { expires: [], share: [], signature: [] };
  const options = query.split('&').filter((parameter) => {
    const [name, ...value] = parameter.split('=');
    if (name === undefined || !Object.hasOwn(given, name)) return true;
    given[name as keyof typeof PARTS].push(value.join('='));
    return false;
  });
  return { signed: signedPartsOf(given), options: options.join('&') };
}

function signedPartsOf(given: Readonly<Record<keyof typeof PARTS, readonly string[]>>): FileQuery['signed'] {
  const { expires, share, signature } = given;
  if (expires.length !== 1 || signature.length !== 1 || share.length > 1) return null;
  const isMalformed = Object.entries(PARTS).some(([name, form]) =>
    given[name as keyof typeof PARTS].some((value) => !form.test(value)),
  );
  if (isMalformed) return null;
  const [shareId = null] = share.map(Number);
  return { expires: Number(expires[0]), shareId, signature: signature[0]! };
}

/** The permission of a valid signature. */
export interface SignedPermission {
  readonly expiresAt: Date;
  readonly shareId: number | null;
  /** True if the signature is over the options in the URL; false if the URL was signed without options. */
  readonly optionsAreSigned: boolean;
}

/**
 * The permission of the query of a file's URL now; `null` when it is unsigned, expired or changed. A signature is over the
 * options in the URL, or over none.
 *
 * @param isSignature reports whether a text has this signature, by a key that is valid
 */
export function permissionOf(
  key: string,
  { signed, options }: FileQuery,
  now: Date,
  isSignature: (text: string, signature: string) => boolean,
): SignedPermission | null {
  if (!signed || signed.expires * 1000 <= now.getTime()) return null;
  const { signature, ...parts } = signed;
  const isSigned = (over: string) => isSignature(signedTextOf({ key, ...parts, options: over }), signature);
  const optionsAreSigned = isSigned(options);
  if (!optionsAreSigned && (options === '' || !isSigned(''))) return null;
  return { expiresAt: new Date(signed.expires * 1000), shareId: signed.shareId, optionsAreSigned };
}

/** The versions of a workspace's key whose signatures are valid: the present one, and for an hour the former one. */
export function validKeyVersions(
  { version, rotatedAt }: { readonly version: number; readonly rotatedAt: Date | null },
  now: Date,
): readonly number[] {
  const age = rotatedAt && now.getTime() - rotatedAt.getTime();
  return age !== null && age < FORMER_KEY_SECONDS * 1000 ? [version, version - 1] : [version];
}
