/** @tier deep, 20 s, about scripts/s3-gateway docker-compose.yml */
import { describe, expect, it } from '@jest/globals';
import { createDatabase, sqlOn } from '../support/database.ts';

describe('the engines of the container suites', () => {
  it('are the PostgreSQL that people operate, not the embedded one', async () => {
    const { database, drop } = await createDatabase();
    try {
      const row = await sqlOn(database).one<{ version: string }>(`select current_setting('server_version') as version`);
      expect(row!.version).toMatch(/^17\./);
    } finally {
      await drop();
    }
  });
});
