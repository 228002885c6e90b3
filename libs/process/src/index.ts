export { checkPort, listenRefusal } from './check-port.ts';
export { ChildProgram, type ChildProgramOptions } from './child-program.ts';
export { freePort } from './free-port.ts';
export { lockFolder, type FolderLock } from './lock-folder.ts';
export { probePort } from './probe-port.ts';
export { runProgram, type Program } from './run-program.ts';
export { runTask } from './run-task.ts';
export { StartError } from './start-error.ts';
export { SupervisedProgram } from './supervised-program.ts';
