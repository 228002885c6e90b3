/** Exit codes, as the help and the documentation list them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  signedOut: 5,
  interrupted: 130,
} as const;

export const EXIT_WORDS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  failed: 'a generation, a row of a batch or an item of a board failed',
  usage: 'wrong usage, or a local file that cannot be read or written',
  refused: 'refused by the service, for the printed reason',
  unreachable: 'the service cannot be reached',
  signedOut: 'not signed in',
  interrupted: 'interrupted',
};

/** A command that ends with an exit code. */
export class Failure extends Error {
  /** @param value printed with `--json` instead of the message */
  constructor(
    readonly exit: keyof typeof EXIT,
    message: string,
    readonly value?: unknown,
  ) {
    super(message);
  }
}

export class UsageError extends Failure {
  constructor(message: string) {
    super('usage', message);
  }
}
