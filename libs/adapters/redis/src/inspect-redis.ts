import type { Redis } from 'ioredis';

/** A setting of the server that puts a queue at risk. */
export interface RedisFlaw {
  readonly finding: string;
  /** The change that an operator should make. */
  readonly advice: string;
}

/** Checks that the server keeps its data. Uses only `INFO` if `CONFIG` is forbidden. */
export async function inspectRedis(client: Redis): Promise<{ server: string; flaws: readonly RedisFlaw[] }> {
  const info = fieldsOf(await client.info());
  const flaws = [policyFlaw(info), persistenceFlaw(info, await savePoints(client)), modeFlaw(info)];
  return { server: serverOf(info), flaws: flaws.filter((flaw) => flaw !== null) };
}

function policyFlaw(info: ReadonlyMap<string, string>): RedisFlaw | null {
  const policy = info.get('maxmemory_policy');
  if (policy === 'noeviction') return null;
  const finding = policy
    ? `maxmemory-policy is ${policy}: the server deletes jobs when memory is short`
    : 'the server does not report its maxmemory-policy';
  return { finding, advice: 'set `maxmemory-policy noeviction`' };
}

/** @param save the configured snapshots; `null` if unknown */
function persistenceFlaw(info: ReadonlyMap<string, string>, save: string | null): RedisFlaw | null {
  if (info.get('aof_enabled') === '1' || save) return null;
  if (save === null) {
    return {
      finding: 'appendonly is off, and snapshots cannot be checked since CONFIG is forbidden',
      advice: 'make the server persist its data: `appendonly yes`, or the equivalent of your provider',
    };
  }
  return {
    finding: 'the server loses its data when it restarts: all waiting jobs must then be queued again',
    advice: 'set `appendonly yes` (with the default `appendfsync everysec`), or at least `save 60 1`',
  };
}

function modeFlaw(info: ReadonlyMap<string, string>): RedisFlaw | null {
  if ((info.get('redis_mode') ?? info.get('server_mode')) !== 'cluster') return null;
  return {
    finding: 'the server is a node of a cluster, and the other nodes are not used',
    advice: 'use a cluster of one shard, a proxy in front of it, or a single server',
  };
}

/** The setting `save`: empty without snapshots; `null` if the server does not report it. */
async function savePoints(client: Redis): Promise<string | null> {
  try {
    const [, value] = (await client.config('GET', 'save')) as string[];
    return value ?? null;
  } catch {
    return null;
  }
}

/** Name and version of the server, such as `Valkey 8.1.4`. */
function serverOf(info: ReadonlyMap<string, string>): string {
  const valkey = info.get('valkey_version');
  return valkey ? `Valkey ${valkey}` : `Redis ${info.get('redis_version') ?? 'of unknown version'}`;
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(Array.from(info.matchAll(/^([^:\r\n]+):(.*)$/gm), ([, name, value]) => [name!, value!]));
}
