import TestRunner from 'jest-runner';

/** Runs the files of a project one after the other, in a worker that is replaced when it has grown. */
export default class OneAtATime extends TestRunner {
  constructor(config, context) {
    super({ ...config, maxWorkers: 1 }, context);
  }
}
