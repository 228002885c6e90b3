import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package `chromium`. */
const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const isThere = existsSync(CHROMIUM);
if (!isThere) {
  const missing = `no ${CHROMIUM}: what needs a browser is not tested (apt-get install chromium)`;
  if (process.env.CONTAINERS === 'required') throw new Error(missing);
  process.stderr.write(`${missing}\n`);
}

/** `describe`, left out where no browser is installed. */
export const describeInBrowser = isThere ? describe : describe.skip;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}
