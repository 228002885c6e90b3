import { spawn } from 'node:child_process';

const PROGRAMS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `start` belongs to a shell, which would interpret the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a web page; does nothing for other addresses, and where there is no browser. */
export function openInBrowser(url: string): void {
  if (!/^https?:\/\//i.test(url)) return;
  const [program, ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, new URL(url).href], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
