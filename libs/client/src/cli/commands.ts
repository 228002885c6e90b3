import { command, type Command, flag, integer, list, text } from './command.ts';

const OUT = text('PATH', 'Saves the outputs in a folder, or one output as a file.');
const OPEN = flag('Opens the result in the browser.');
const COST = flag('Prints the cost in credits, and charges nothing.');
const PERSONA = integer('ID', 'The persona that it belongs to.');
const KEY = text('KEY', 'Idempotency key: the same command with the same key has one result, charged once.');

/** All commands. Their code is loaded when they run: the help loads none. */
export const COMMANDS: readonly Command[] = [
  command({
    name: 'login',
    args: '',
    help: 'Saves an API token, which it reads from the terminal or from standard input.',
    options: {
      url: text('URL', 'The address of the service.'),
      open: flag('Opens the page of the console where tokens are made.'),
    },
    load: async () => (await import('./account.ts')).login,
  }),
  command({
    name: 'logout',
    args: '',
    help: 'Deletes the saved token from this computer.',
    options: {},
    load: async () => (await import('./account.ts')).logout,
  }),
  command({
    name: 'whoami',
    args: '',
    help: 'Prints the account, its workspace and the credits left.',
    options: {},
    load: async () => (await import('./account.ts')).whoami,
  }),
  command({
    name: 'models',
    args: '',
    help: 'Lists the models with their costs in credits.',
    options: {},
    load: async () => (await import('./generation.ts')).models,
  }),
  command({
    name: 'generate',
    args: 'PROMPT',
    help: 'Makes a picture or a video.',
    options: {
      model: text('MODEL', 'The model, of `x12 models`.'),
      persona: integer('ID', 'The persona that lends its style.'),
      image: text('FILE|URL', 'The picture to begin with.'),
      param: list('NAME=VALUE', 'A parameter of the model; may be repeated.'),
      cost: COST,
      wait: flag('Waits for the end: the default on a terminal, and with --out or --open.'),
      'no-wait': flag('Prints the id for `x12 wait` at once.'),
      key: KEY,
      out: OUT,
      open: OPEN,
    },
    load: async () => (await import('./generation.ts')).generate,
  }),
  command({
    name: 'wait',
    args: 'ID',
    help: 'Waits for a generation, and prints or saves its outputs.',
    options: { out: OUT, open: OPEN },
    load: async () => (await import('./generation.ts')).wait,
  }),
  command({
    name: 'upload',
    args: 'FILE…',
    help: 'Uploads files, and prints their URLs.',
    options: { persona: PERSONA, temporary: flag('Deletes the files after twelve hours.') },
    load: async () => (await import('./files.ts')).upload,
  }),
  command({
    name: 'find',
    args: 'WORDS…',
    help: 'Searches the library by words of prompts, names and tags.',
    options: { limit: integer('N', 'Results at most. Default: 50.') },
    load: async () => (await import('./files.ts')).find,
  }),
  command({
    name: 'board pull',
    args: 'ID DIR',
    help: 'Saves the originals of a board with its folders. Files that are complete are skipped.',
    options: {},
    load: async () => (await import('./board.ts')).pull,
  }),
  command({
    name: 'share',
    args: 'FILE_ID…',
    help: 'Puts files of the library on a new board, and prints a link that shows them without an account.',
    options: {
      name: text('NAME', 'The name that guests see.'),
      'password-stdin': flag('Reads the password of the link from standard input.'),
      expires: text('TIME', 'The end of the link: `12h`, `7d` or a time in ISO 8601.'),
    },
    load: async () => (await import('./files.ts')).share,
  }),
  command({
    name: 'batch run',
    args: 'FILE.csv',
    help: 'Generates each row of a table, whose first row names the fields, and prints the result of each.',
    options: {
      name: text('NAME', 'The name of the batch. Default: that of the file.'),
      key: KEY,
      out: text('DIR', 'Saves the outputs in a folder.'),
      cost: COST,
    },
    load: async () => (await import('./batch.ts')).run,
  }),
  command({
    name: 'listen',
    args: '',
    help: 'Prints the events of the workspace, and forwards them to a local program as signed webhooks.',
    options: {
      types: text('TYPES', 'Only these types, separated by commas.'),
      forward: text('URL', 'Where to POST each event: http://localhost:PORT/path'),
    },
    load: async () => (await import('./listen.ts')).listen,
  }),
  command({
    name: 'completion',
    args: 'bash|zsh|fish',
    help: 'Prints the completion script of a shell, to be sourced by its profile.',
    options: {},
    load: async () => (await import('./completion.ts')).completion(COMMANDS),
  }),
];
