import { DomainError, invalidField } from '#kernel';

/** The file types that can be uploaded: extension (lower case) and the content type its bytes must have. */
export const CONTENT_TYPES = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  fbx: 'application/octet-stream',
} as const;

/** The file types that can be stored: uploads and the outputs of generations. */
export const STORED_TYPES = { ...CONTENT_TYPES, webm: 'video/webm' } as const;

/** Files that only the service reads: trained styles. */
export const PRIVATE_TYPES = {
  safetensors: 'application/x-safetensors',
  tar: 'application/x-tar',
  json: 'application/json',
} as const;

export function isPrivateType(contentType: string): boolean {
  return Object.values<string>(PRIVATE_TYPES).includes(contentType);
}

/** All types of permanent files. AVIF is made of pictures to show them. */
export const ALL_TYPES = { ...STORED_TYPES, ...PRIVATE_TYPES, avif: 'image/avif' } as const;

type AnyExtension = keyof typeof ALL_TYPES;
export type FileExtension = keyof typeof STORED_TYPES;

/** A file whose name starts with this is temporary. */
const TEMPORARY_PREFIX = 'x12tmp-';

const MAX_BYTES = 255;

/** A valid file name. */
export interface FileName<Extension extends AnyExtension = FileExtension> {
  /** In Unicode's normal form C. */
  readonly text: string;
  readonly extension: Extension;
  readonly temporary: boolean;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const RULES: readonly { readonly problem: string; readonly isBroken: (name: string) => boolean }[] = [
  { problem: 'must not be empty', isBroken: (name) => name === '' },
  { problem: 'must be well-formed Unicode', isBroken: (name) => !name.isWellFormed() },
  { problem: `must have at most ${MAX_BYTES} bytes in UTF-8`, isBroken: (name) => bytesOf(name) > MAX_BYTES },
  { problem: 'must not contain a path separator', isBroken: (name) => /[/\\]/.test(name) },
  { problem: 'must not contain control characters', isBroken: (name) => /\p{Cc}/u.test(name) },
  { problem: 'must not start with a dot', isBroken: (name) => name.startsWith('.') },
];

/**
 * @param types the supported types by their extensions
 * @throws DomainError `validation_failed` for a name that breaks a rule, `unsupported_file_type` for an extension
 * that is not supported
 */
export function fileNameOf(given: string): FileName;
export function fileNameOf<Extension extends AnyExtension>(
  given: string,
  types: Readonly<Record<Extension, string>>,
): FileName<Extension>;
export function fileNameOf(
  given: string,
  types: Partial<Record<AnyExtension, string>> = CONTENT_TYPES,
): FileName<AnyExtension> {
  const text = given.normalize('NFC');
  const broken = RULES.find((rule) => rule.isBroken(text));
  if (broken) throw invalidField('filename', broken.problem);
  const extension = extensionOf(text, types);
  if (!extension) {
    const supported = Object.keys(types).join(', ');
    throw new DomainError('unsupported_file_type', `filename must end in one of: ${supported}`);
  }
  return { text, extension, temporary: text.startsWith(TEMPORARY_PREFIX) };
}

function extensionOf(name: string, types: Partial<Record<AnyExtension, string>>): AnyExtension | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, extension) ? (extension as AnyExtension) : null;
}

/** The name of a permanent copy of a file, which does not look temporary. */
export function permanentNameOf(filename: string): string {
  const name = filename.replace(new RegExp(`^(${TEMPORARY_PREFIX})+`), '');
  return name.startsWith('.') ? `file${name}` : name;
}

/** The name of a file made from another: that name without its extension, cut where it gets too long, and an ending. */
export function derivedNameOf(filename: string, ending: string): string {
  const characters = [...filename.replace(/\.[^.]*$/, '')];
  while (bytesOf(characters.join('') + ending) > MAX_BYTES) characters.pop();
  return characters.join('') + ending;
}
