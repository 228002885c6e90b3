import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { EmbeddedPostgres } from '#embedded';
import { StartError } from '#process';
import { DomainError } from '#kernel';
import { keepSecret, readSettings, SettingsError, type Settings } from '#config';
import {
  AuditModule,
  BoardModule,
  CreditsModule,
  ErasureModule,
  FilesModule,
  IdentityModule,
  MailModule,
  OpenConnections,
  PlatformModule,
  runningRequest,
  type Token,
} from '#wiring';
import { table, type Row } from './table.ts';

/** The environment and the output of a command line. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From a prompt without echo, or from standard input where that is no terminal. */
  readPassword(): Promise<string>;
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

type Action = (...args: unknown[]) => Promise<void>;

/** Reports whether any row was found: each is a problem. */
export const isAnyFound = (output: Output): boolean => Array.isArray(output) && output.length > 0;

/** The modules of the commands, beside the modules of the platform. */
@Module({ imports: [AuditModule, BoardModule, CreditsModule, ErasureModule, IdentityModule, MailModule, FilesModule] })
class CliModule {}

/** Runs commands on the use cases of the service, and prints their output. */
export class Session {
  constructor(private readonly terminal: Terminal) {}

  /** Passwords are not arguments: other users of the machine and the shell's history would show them. */
  readPassword(): Promise<string> {
    return this.terminal.readPassword();
  }

  /** The action of a command. */
  run<Args extends unknown[], Result extends Output>(
    work: (service: Service, ...args: Args) => Promise<Result>,
    isFailure: (output: Result) => boolean = () => false,
    modules: readonly Type[] = [],
  ): Action {
    return this.#printing(isFailure, async (...args: Args) => {
      const { service, close } = await this.#open(modules);
      try {
        return await runningRequest.run({ isCommandLine: true }, () => work(service, ...args));
      } finally {
        await close();
      }
    });
  }

  /** The action of a command that uses the database where it can be reached; elsewhere it says why it can't. */
  runIfUp<Args extends unknown[], Result extends Output>(
    work: (settings: Settings, service: Service | null, ...args: Args) => Promise<Result>,
    isFailure: (output: Result) => boolean = () => false,
  ): Action {
    return this.#printing(isFailure, async (...args: Args) => {
      const opened = await this.#open().catch((error: unknown) => {
        if (error instanceof StartError) return error;
        throw error;
      });
      if (opened instanceof StartError) {
        const output = await work(readSettings(this.terminal.env), null, ...args);
        this.terminal.complain(`without the entries that operators have added: ${opened.message}\n`);
        return output;
      }
      try {
        return await work(opened.service.settings, opened.service, ...args);
      } finally {
        await opened.close();
      }
    });
  }

  async #open(modules: readonly Type[] = []): Promise<{ readonly service: Service; close(): Promise<void> }> {
    const settings = await this.#settings();
    const opened = new OpenConnections();
    const module = { module: CliModule, imports: [PlatformModule.forRoot(settings, 'api', opened), ...modules] };
    const options = { logger: false, abortOnError: false } as const;
    const app = await opened.orClose(() => NestFactory.createApplicationContext(module, options));
    const get = <T>(what: Type<T> | Token<T>): T => app.get<T>(what as Type<T>);
    return { service: { settings, get }, close: () => app.close() };
  }

  /** The action of a command that needs the settings only. */
  runWithSettings<Args extends unknown[], Result extends Output>(
    work: (settings: Settings, ...args: Args) => Promise<Result>,
    isFailure: (output: Result) => boolean = () => false,
  ): Action {
    return this.#printing(isFailure, (...args: Args) => work(readSettings(this.terminal.env), ...args));
  }

  /** The action of a command on the data folder itself, to which no secrets are added. */
  runOnFolder<Args extends unknown[], Result extends Output>(
    work: (settings: Settings, ...args: Args) => Promise<Result>,
    isFailure: (output: Result) => boolean = () => false,
  ): Action {
    return this.#printing(isFailure, (...args: Args) =>
      work(
        readSettings(this.terminal.env, () => ''),
        ...args,
      ),
    );
  }

  #printing<Args extends unknown[], Result extends Output>(
    isFailure: (output: Result) => boolean,
    work: (...args: Args) => Promise<Result>,
  ): Action {
    return async (...args: unknown[]) => {
      const { json = false } = (args.pop() as Command).opts<{ json?: boolean }>();
      try {
        const output = await work(...(args as Args));
        this.terminal.write(json ? `${JSON.stringify(output, null, 2)}\n` : table(output));
        if (isFailure(output)) this.terminal.exit(1);
      } catch (error) {
        this.#fail(error, json);
      }
    };
  }

  /** The settings, with the URL of the embedded database where DATABASE_URL is not set. */
  async #settings(): Promise<Settings> {
    const settings = readSettings(this.terminal.env);
    return { ...settings, database: { ...settings.database, url: await databaseUrl(settings) } };
  }

  #fail(error: unknown, json: boolean): void {
    const isExpected = error instanceof DomainError || error instanceof StartError || error instanceof SettingsError;
    const message = messageOf(error);
    const code = error instanceof DomainError ? error.code : isExpected ? 'not_started' : 'internal_error';
    this.terminal.complain(json ? `${JSON.stringify({ code, message })}\n` : `${message}\n`);
    this.terminal.exit(1);
  }
}

/**
 * The URL of the database: DATABASE_URL, or of the embedded one.
 *
 * @throws StartError when the embedded one does not run
 */
export async function databaseUrl({ data, database }: Settings): Promise<string> {
  if (database.url !== null) return database.url;
  const password = keepSecret(join(data.secrets, 'postgres'));
  const url = await EmbeddedPostgres.urlOfRunning({ folder: data.postgres, password });
  if (url === null) {
    throw new StartError('the embedded database is not running: start the service, or set DATABASE_URL');
  }
  return url;
}

/** For an unreachable dependency, the message of the cause, which says what to change. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDown = error instanceof DomainError && error.code === 'unavailable';
  return isDown && error.cause instanceof Error ? error.cause.message : error.message;
}
