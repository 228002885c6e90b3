import TestRunner from 'jest-runner';

/** Runs so many files of a project at a time, in workers that are replaced when they have grown. */
export default class FewAtATime extends TestRunner {
  constructor(config, context, { files }) {
    super({ ...config, maxWorkers: Math.min(config.maxWorkers, files) }, context);
  }
}
