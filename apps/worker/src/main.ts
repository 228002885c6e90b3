import { readSettings } from '#config';
import { runProgram } from '#process';
import { Worker } from './worker.ts';

let worker: Worker | undefined;

await runProgram(
  {
    start: async () => {
      worker = await Worker.start(readSettings(process.env));
    },
    stop: async () => worker?.stop(),
  },
  6000,
);
