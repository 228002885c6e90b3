import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Seconds of the files that take longest. Jest begins with what took longest in its last run; in a fresh clone there was
 * none, so it would go by size, and a slow file that comes last would run alone.
 */
const SECONDS = {
  'test/faults/scaled-out.test.ts': 150,
  'test/faults/fault-rig.test.ts': 120,
  'test/faults/vendors.test.ts': 90,
  'test/faults/disk.test.ts': 80,
  'test/faults/hanging-programs.test.ts': 75,
  'test/containers/queue-on-valkey.test.ts': 70,
  'test/e2e/start.test.ts': 60,
  'test/contracts/sharp-pictures.test.ts': 40,
  'test/faults/database-restart.test.ts': 35,
  'test/e2e/generation.test.ts': 30,
  'test/e2e/metrics.test.ts': 30,
  'test/e2e/client-package.test.ts': 30,
  'test/containers/s3-service.test.ts': 30,
  'test/contracts/picture-derivatives.test.ts': 25,
  'test/contracts/crash-matrix.test.ts': 25,
  'test/contracts/local-provider.test.ts': 22,
  'test/e2e/embedded-postgres.test.ts': 20,
  'test/e2e/webhooks.test.ts': 20,
  'test/contracts/videos.test.ts': 15,
  'test/e2e/stopping-worker.test.ts': 12,
  'libs/process/src/supervision.test.ts': 10,
};

export default class SlowestFirst extends Sequencer {
  /** Milliseconds: of the last run, or as far as they are known. */
  time(test) {
    const { rootDir } = test.context.config;
    const seconds = SECONDS[relative(rootDir, test.path)] ?? 0;
    return super.time(test) ?? 1000 * seconds + (test.context.hasteFS.getSize(test.path) ?? 0) / 10;
  }
}
