import type { Redis } from 'ioredis';

/** Something about a server that makes it a bad place for a queue. */
export interface RedisFlaw {
  readonly finding: string;
  /** What to change. */
  readonly advice: string;
}

export interface RedisReport {
  /** Such as `Valkey 8.1.4`. */
  readonly server: string;
  readonly flaws: readonly RedisFlaw[];
}

/** Looks whether the server keeps what it is given. Where `CONFIG` is forbidden, `INFO` has to do. */
export async function inspectRedis(client: Redis): Promise<RedisReport> {
  const info = fieldsOf(await client.info());
  const save = await savePoints(client);
  return {
    server: serverOf(info),
    flaws: [...policyFlaws(info), ...persistenceFlaws(info, save), ...modeFlaws(info)],
  };
}

function policyFlaws(info: ReadonlyMap<string, string>): RedisFlaw[] {
  const policy = info.get('maxmemory_policy');
  if (policy === 'noeviction') return [];
  return [
    {
      finding: policy
        ? `maxmemory-policy is ${policy}: when memory is short, the server deletes jobs`
        : 'the server does not tell its maxmemory-policy',
      advice: 'set `maxmemory-policy noeviction`',
    },
  ];
}

/** @param save as configured; `null` where that can't be known */
function persistenceFlaws(info: ReadonlyMap<string, string>, save: string | null): RedisFlaw[] {
  if (info.get('aof_enabled') === '1' || save) return [];
  if (save === null) {
    return [
      {
        finding: 'appendonly is off, and whether snapshots are made can not be checked: CONFIG is forbidden',
        advice: 'see that the server persists: `appendonly yes`, or what your provider calls it',
      },
    ];
  }
  return [
    {
      finding: 'the server keeps nothing when it restarts: every waiting job has to be handed over again',
      advice: 'set `appendonly yes` (and leave `appendfsync everysec`), or at least `save 60 1`',
    },
  ];
}

function modeFlaws(info: ReadonlyMap<string, string>): RedisFlaw[] {
  if ((info.get('redis_mode') ?? info.get('server_mode')) !== 'cluster') return [];
  return [
    {
      finding: 'the server is a node of a cluster, whose other nodes are not asked',
      advice: 'use a cluster of one shard, a proxy in front of it, or a single server',
    },
  ];
}

/** The points at which snapshots are made, empty for none; `null` where the server doesn't say. */
async function savePoints(client: Redis): Promise<string | null> {
  try {
    const answer = (await client.config('GET', 'save')) as string[];
    return answer[1] ?? null;
  } catch {
    return null;
  }
}

function serverOf(info: ReadonlyMap<string, string>): string {
  const valkey = info.get('valkey_version');
  return valkey ? `Valkey ${valkey}` : `Redis ${info.get('redis_version') ?? 'of unknown version'}`;
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}
