import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '#kernel';
import type { Mail, MailMessage } from '#mail';
import { compose, loadNodemailer } from './compose.ts';

export interface FileMailOptions {
  readonly folder: string;
  /** Sender: an address, or `Name <address>`. */
  readonly from: string;
}

/** Writes each message to a file, `<time>-<id>.eml`, instead of sending it. Mail programs open these files. */
export class FileMail implements Mail {
  constructor(private readonly options: FileMailOptions) {}

  /** Writes the file atomically, readable by its owner only: it contains tokens. */
  async send(message: MailMessage): Promise<void> {
    const { folder, from } = this.options;
    const { createTransport } = await loadNodemailer();
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message: bytes } = await composer.sendMail(compose(message, from));
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`;
    const draft = join(folder, `.${name}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { mode: 0o600, flush: true });
      await rename(draft, join(folder, name));
    } catch (error) {
      throw unwritable(error);
    }
  }

  async check(): Promise<void> {
    const { folder } = this.options;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw unwritable(error);
    }
  }
}

function unwritable(error: unknown): DomainError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new DomainError('unavailable', `the folder for mail cannot be written to (${reason})`, { cause: error });
}
