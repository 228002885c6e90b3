export { lockFolder, type FolderLock } from './folder-lock.ts';
export { checkPort, freePort, listenRefusal, probePort } from './ports.ts';
export { runProgram, runTask, StartError, type Program } from './program.ts';
export { ChildProgram, SupervisedProgram, type ChildProgramOptions } from './supervision.ts';
