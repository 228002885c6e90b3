export { lockFolder } from './folder-lock.ts';
export { forkUntrusted } from './fork-untrusted.ts';
export { checkPort, freePort, listenRefusal, probePort } from './ports.ts';
export { programOf, runProgram, runTask, StartError, type Program } from './program.ts';
export { ChildProgram, keepRunning, SupervisedProgram } from './supervision.ts';
export { describeRelease, RELEASE, type Release } from './release.ts';
export { endWithStarters, isRunning } from './starters.ts';
