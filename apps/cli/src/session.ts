import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { EmbeddedPostgres } from '#embedded';
import { StartError } from '#process';
import { DomainError } from '#kernel';
import { keepSecret, readSettings, SettingsError, type Settings } from '#config';
import type { Token } from '#wiring';
import { CliModule } from './cli.module.ts';
import { table, type Row } from './table.ts';

/** Where a command line reads from and writes to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
  complain(text: string): void;
  exit(code: number): void;
}

/** What a command answers: rows for a table, or one thing. */
export type Answer = readonly Row[] | Row;

export interface Service {
  readonly settings: Settings;
  get<T>(what: Type<T> | Token<T>): T;
}

/** Runs a command's work on the service's own use cases, and prints what comes of it. */
export class Session {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Makes `work` the action of `command`, which also gets the option `--json`. */
  action<Args extends unknown[]>(
    command: Command,
    work: (service: Service, ...args: Args) => Promise<Answer>,
    isFailure: (answer: Answer) => boolean = () => false,
  ): Command {
    return this.#answering(command, isFailure, async (...args: Args) => {
      const settings = await this.#settings();
      const app = await NestFactory.createApplicationContext(CliModule.forRoot(settings), {
        logger: false,
        abortOnError: false,
      });
      try {
        const get = <T>(what: Type<T> | Token<T>): T => app.get<T>(what as Type<T>);
        return await work({ settings, get }, ...args);
      } finally {
        await app.close();
      }
    });
  }

  /** The same for work that needs nothing but the settings, and no database. */
  settingsAction<Args extends unknown[]>(
    command: Command,
    work: (settings: Settings, ...args: Args) => Promise<Answer>,
  ): Command {
    return this.#answering(
      command,
      () => false,
      (...args: Args) => work(readSettings(this.#terminal.env), ...args),
    );
  }

  #answering<Args extends unknown[]>(
    command: Command,
    isFailure: (answer: Answer) => boolean,
    work: (...args: Args) => Promise<Answer>,
  ): Command {
    return command.option('--json', 'print JSON').action(async (...args: unknown[]) => {
      const { json = false } = command.opts<{ json?: boolean }>();
      try {
        const answer = await work(...(args.slice(0, -1) as Args));
        this.#terminal.write(json ? `${JSON.stringify(answer, null, 2)}\n` : table(answer));
        if (isFailure(answer)) this.#terminal.exit(1);
      } catch (error) {
        this.#refuse(error, json);
      }
    });
  }

  /** The settings, with the address of the embedded database where no other is given. */
  async #settings(): Promise<Settings> {
    const settings = readSettings(this.#terminal.env);
    if (settings.database.url !== null) return settings;
    const url = await EmbeddedPostgres.urlOfRunning({
      folder: settings.data.postgres,
      password: keepSecret(join(settings.data.secrets, 'postgres')),
    });
    if (url === null) {
      throw new StartError('the embedded database is not running: start the service, or give DATABASE_URL');
    }
    return { ...settings, database: { ...settings.database, url } };
  }

  #refuse(error: unknown, json: boolean): void {
    const isForeseen =
      error instanceof DomainError || error instanceof StartError || error instanceof SettingsError;
    const message = messageOf(error);
    const code = error instanceof DomainError ? error.code : isForeseen ? 'not_started' : 'internal_error';
    this.#terminal.complain(json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
    this.#terminal.exit(1);
  }
}

/** What an operator can use: the cause of a dependency that is down says what to change. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDown = error instanceof DomainError && error.code === 'unavailable';
  return isDown && error.cause instanceof Error ? error.cause.message : error.message;
}
