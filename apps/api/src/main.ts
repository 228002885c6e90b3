import { readSettings } from '#config';
import { runProgram } from '#process';
import { Api } from './api.ts';

let api: Api | undefined;

await runProgram(
  {
    start: async () => {
      api = await Api.start(readSettings(process.env));
    },
    stop: async () => api?.stop(),
  },
  6000,
);
