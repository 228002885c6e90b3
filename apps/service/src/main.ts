import { endWithStarters, runProgram } from '#process';
import { Service } from './service.ts';

endWithStarters(process.env.X12_STARTERS);
await runProgram(new Service(), 9500);
