import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { forEach, type Clock } from '#kernel';
import { FILES_AT_ONCE, ifThere } from './disk-files.ts';
import { AREAS, timeOfVersion, type DiskLayout, readRecord } from './disk-layout.ts';

/** Longer than a write can take: an older file that belongs to no object was left by a crash. */
const LEFTOVER_SECONDS = 3_600;
const SHARDS = 256;
const SHARDS_A_TURN = 8;

/** Removes what crashes left behind, a few folders per turn, so a turn costs the same however much is stored. */
export class DiskTidying {
  /** Starts at random: a process that is restarted often reaches every folder too. */
  #next = Math.floor(Math.random() * AREAS.length * SHARDS);

  constructor(
    private readonly layout: DiskLayout,
    private readonly clock: Clock,
  ) {}

  async takeTurn(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LEFTOVER_SECONDS * 1000);
    await this.#tidyIncoming(before);
    for (let count = 0; count < SHARDS_A_TURN; count++) {
      const area = AREAS[Math.floor(this.#next / SHARDS) % AREAS.length]!;
      const shard = (this.#next++ % SHARDS).toString(16).padStart(2, '0');
      await this.#tidyFolder(join(this.layout.root, area, shard), before);
    }
  }

  async #tidyIncoming(before: Date): Promise<void> {
    const names = (await ifThere(readdir(this.layout.incoming))) ?? [];
    await forEach(names, FILES_AT_ONCE, async (name) => {
      const path = join(this.layout.incoming, name);
      const facts = await ifThere(stat(path));
      if (facts && facts.ctime < before) await rm(path, { force: true });
    });
  }

  async #tidyFolder(folder: string, before: Date): Promise<void> {
    const versions = new Map<string, string[]>();
    const recorded = new Set<string>();
    for (const name of (await ifThere(readdir(folder))) ?? []) {
      const [hash = '', version = ''] = name.split('.');
      if (version === 'json') recorded.add(hash);
      else versions.set(hash, [...(versions.get(hash) ?? []), version]);
    }
    // An object with one file of bytes is whole: its record is written last, and older bytes are removed after.
    const suspects = [...versions].filter(([hash, of]) => of.length > 1 || !recorded.has(hash));
    await forEach(suspects, FILES_AT_ONCE, async ([hash, of]) => {
      const text = await ifThere(readFile(join(folder, `${hash}.json`), 'utf8'));
      const current = text === null ? null : readRecord(text);
      for (const version of of) {
        if (version === current?.version || timeOfVersion(version) >= before) continue;
        await rm(join(folder, `${hash}.${version}`), { force: true });
      }
    });
  }
}
