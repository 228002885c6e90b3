import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { forEach } from '#kernel';
import { AT_ONCE, checksumOf, checksumOfObject, ifThere, objectsOf, storeIn } from './backup.ts';
import type { Backup, Checksum, Part } from './backup.ts';

/** A problem of a backup. */
export interface Problem {
  readonly problem: 'missing' | 'damaged' | 'missing when it was made';
  readonly kind: 'part' | 'object';
  /** The path of a part, or the key of an object. */
  readonly what: string;
}

/** Reads a whole backup and compares it with its checksums. */
export async function problemsOf(backup: Backup): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const part of backup.manifest.parts) {
    const problem = difference(await checksumOfPart(backup, part), part);
    if (problem) problems.push({ problem, kind: 'part', what: part.path });
  }
  // A damaged list says nothing about the objects.
  if (problems.some(({ what }) => what === 'objects')) return problems;
  return [...problems, ...(await objectProblems(backup))];
}

async function objectProblems(backup: Backup): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const store = storeIn(join(backup.path, 'files'));
  for await (const objects of objectsOf(backup)) {
    await forEach(objects, AT_ONCE, async (object) => {
      const problem = object.missing
        ? 'missing when it was made'
        : difference(await checksumOfObject(store, object.key), object);
      if (problem) problems.push({ problem, kind: 'object', what: object.key });
    });
  }
  return problems;
}

async function checksumOfPart({ path }: Backup, part: Part): Promise<Checksum | null> {
  const file = await ifThere(open(join(path, part.path)));
  return file && checksumOf(file.createReadStream());
}

function difference(found: Checksum | null, wanted: Checksum): 'missing' | 'damaged' | null {
  if (!found) return 'missing';
  return found.size === wanted.size && found.sha256 === wanted.sha256 ? null : 'damaged';
}
