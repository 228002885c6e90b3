import { readdir, readFile } from 'node:fs/promises';

const TICKS_A_SECOND = 100;

/** Processor time of all child processes of this one so far, also of those that have ended, in seconds. On Linux. */
export async function childSeconds(): Promise<number> {
  const all = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf));
  const ticks = all.map((stat) => {
    const [, parent, ...fields] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [own = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields.slice(9, 13);
    if (parent === process.pid) return own + system + ofChildren + systemOfChildren;
    return stat.startsWith(`${process.pid} `) ? ofChildren + systemOfChildren : 0;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
}

/** Empty for a process that has ended. */
const statOf = (pid: string) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
