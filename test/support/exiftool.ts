import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Reports whether this machine has ExifTool; CI installs it. */
export const HAS_EXIFTOOL = ((): boolean => {
  try {
    execFileSync('exiftool', ['-ver']);
    return true;
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    return false;
  }
})();

/** The given tags as ExifTool reads them, by the path of each file. */
export async function readTags(files: readonly string[], tags: readonly string[]): Promise<ReadonlyMap<string, Tags>> {
  const asked = ['-j', '-G1', ...tags.map((tag) => `-${tag}`), ...files];
  const { stdout } = await promisify(execFile)('exiftool', asked, { maxBuffer: 64 * 1024 * 1024 }).catch(
    // Files that ExifTool can't read do not keep it from the others.
    (error: unknown) => error as { readonly stdout: string },
  );
  return new Map((JSON.parse(stdout) as (Tags & { SourceFile: string })[]).map((read) => [read.SourceFile, read]));
}

export type Tags = Readonly<Record<string, unknown>>;
