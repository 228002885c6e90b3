import { inspectRedis, type RedisConnection } from '#adapters/redis';
import { Ill, type Check } from './check.ts';

export function checkRedis({ client }: RedisConnection): Check {
  return {
    name: 'redis',
    run: async () => {
      const { server, flaws } = await inspectRedis(client);
      if (flaws.length === 0) return `${server}, keeps its data`;
      throw new Ill(flaws.map(({ finding }) => finding).join('; '), flaws.map(({ advice }) => advice).join('; '));
    },
  };
}
