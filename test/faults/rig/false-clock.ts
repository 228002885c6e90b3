import { glob, rename, writeFile } from 'node:fs/promises';

const LIBRARY = '/usr/{lib,lib64,local/lib}/{,*/}faketime/libfaketimeMT.so.1';

/** A clock that programs started with `env` believe in, and that can jump while they run. */
export class FalseClock {
  readonly env: Readonly<Record<string, string>>;

  /** @returns `null` where there is no libfaketime */
  static async in(file: string): Promise<FalseClock | null> {
    if (process.platform !== 'linux') return null;
    for await (const library of glob(LIBRARY)) {
      const clock = new FalseClock(file, library);
      await clock.jumpTo(0);
      return clock;
    }
    return null;
  }

  private constructor(
    private readonly file: string,
    library: string,
  ) {
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // Clocks that measure durations go on, and files keep their times, as when an administrator sets the clock.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** @param seconds from the true time; the programs notice within a second */
  async jumpTo(seconds: number): Promise<void> {
    const draft = `${this.file}.new`;
    await writeFile(draft, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
    await rename(draft, this.file);
  }
}
