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

/** The environment and the output of a command line. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
  complain(text: string): void;
  exit(code: number): void;
}

/** The output of a command: rows for a table, or one row. */
export type Output = readonly Row[] | Row;

export interface Service {
  readonly settings: Settings;
  get<T>(what: Type<T> | Token<T>): T;
}

/** Runs commands on the use cases of the service, and prints their output. */
export class Session {
  constructor(private readonly terminal: Terminal) {}

  /** Makes `work` the action of `command`, and adds the option `--json`. */
  action<Args extends unknown[]>(
    command: Command,
    work: (service: Service, ...args: Args) => Promise<Output>,
    isFailure: (output: Output) => boolean = () => false,
  ): Command {
    return this.#printing(command, isFailure, async (...args: Args) => {
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

  /** The same for work that needs the settings only. */
  settingsAction<Args extends unknown[]>(
    command: Command,
    work: (settings: Settings, ...args: Args) => Promise<Output>,
  ): Command {
    return this.#printing(
      command,
      () => false,
      (...args: Args) => work(readSettings(this.terminal.env), ...args),
    );
  }

  #printing<Args extends unknown[]>(
    command: Command,
    isFailure: (output: Output) => boolean,
    work: (...args: Args) => Promise<Output>,
  ): Command {
    return command.option('--json', 'print JSON').action(async (...args: unknown[]) => {
      const { json = false } = command.opts<{ json?: boolean }>();
      try {
        const output = await work(...(args.slice(0, -1) as Args));
        this.terminal.write(json ? `${JSON.stringify(output, null, 2)}\n` : table(output));
        if (isFailure(output)) this.terminal.exit(1);
      } catch (error) {
        this.#fail(error, json);
      }
    });
  }

  /** The settings, with the URL of the embedded database where DATABASE_URL is not set. */
  async #settings(): Promise<Settings> {
    const settings = readSettings(this.terminal.env);
    if (settings.database.url !== null) return settings;
    const url = await EmbeddedPostgres.urlOfRunning({
      folder: settings.data.postgres,
      password: keepSecret(join(settings.data.secrets, 'postgres')),
    });
    if (url === null) {
      throw new StartError('the embedded database is not running: start the service, or set DATABASE_URL');
    }
    return { ...settings, database: { ...settings.database, url } };
  }

  #fail(error: unknown, json: boolean): void {
    const isExpected = error instanceof DomainError || error instanceof StartError || error instanceof SettingsError;
    const message = messageOf(error);
    const code = error instanceof DomainError ? error.code : isExpected ? 'not_started' : 'internal_error';
    this.terminal.complain(json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
    this.terminal.exit(1);
  }
}

/** For an unreachable dependency, the message of the cause, which says what to change. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDown = error instanceof DomainError && error.code === 'unavailable';
  return isDown && error.cause instanceof Error ? error.cause.message : error.message;
}
