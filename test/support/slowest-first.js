import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { describeFile } from '../../scripts/test-files.mjs';

/**
 * Jest begins with what took longest in its last run; in a fresh clone there was none, so it would go by size, and a slow
 * file that comes last would run alone.
 */
export default class SlowestFirst extends Sequencer {
  /** Milliseconds: of the last run, or of the file's header. */
  time(test) {
    const path = relative(test.context.config.rootDir, test.path);
    return super.time(test) ?? 1000 * describeFile(path).seconds;
  }
}
