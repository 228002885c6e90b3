/** A file of the person's personal workspace. */
export interface PersonalFile {
  readonly id: number;
  /** Object key. */
  readonly key: string;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

const MAX_NAME_BYTES = 120;
/** Characters that some file system refuses or that a shell, a terminal or a reader of paths takes for something else. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]/gu;

/** The path of a file in the zip: safe to unpack anywhere, and unique by its id. */
export function pathOf({ id, filename }: Pick<PersonalFile, 'id' | 'filename'>): string {
  return `files/${id}-${safeName(filename)}`;
}

/** A name that is safe to unpack anywhere, of at most 120 bytes and its extension. */
export function safeName(name: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[a-z0-9]{1,8})?$/isu.exec(name.normalize('NFC')) ?? [];
  const safe = shortened(stem.toWellFormed().replace(UNSAFE, '_'));
  return `${safe}${extension}`.replace(/[. ]+$/, '_');
}

/** As many whole characters as fit. */
function shortened(text: string): string {
  const encoder = new TextEncoder();
  let bytes = 0;
  let short = '';
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > MAX_NAME_BYTES) return short;
    short += character;
  }
  return short;
}

/** A document of the zip, as `index.json` describes it. */
export interface DocumentSummary {
  readonly path: string;
  readonly about: string;
  readonly rows: number;
}

/** A file whose bytes are not in the zip. */
export interface MissingFile {
  readonly id: number;
  readonly path: string;
  readonly reason: string;
}

/** The content of `index.json`. */
export interface ArchiveIndex {
  readonly created_at: string;
  readonly user_id: number;
  readonly documents: readonly DocumentSummary[];
  readonly files: { readonly about: string; readonly count: number; readonly bytes: number };
  readonly missing_files: readonly MissingFile[];
}

/** The text of `README.txt`. */
export function readmeOf(email: string, createdAt: Date, service: string): string {
  return `The data of ${email} at ${service}, as of ${createdAt.toISOString()}.

index.json   lists the documents and says what each one contains
*.json       one document for each kind of data; they refer to each other by ids
files/       the files of your personal workspace, byte for byte; files.json says which is which

Not included: passwords, tokens and other secrets; what is in the trash (restore it first); the boards, personas and
generations of teams, which belong to the team. A file that was deleted while this was made is listed in index.json
under "missing_files".
`;
}
