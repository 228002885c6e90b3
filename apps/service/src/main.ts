import { runProgram } from '#process';
import { Service } from './service.ts';

await runProgram(new Service(), 9500);
