import { runProgram } from '#embedded';
import { Service } from './service.ts';

await runProgram(new Service(), 9500);
