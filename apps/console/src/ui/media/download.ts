import { fileName } from '../../text.ts';

/** Downloads a file under the name of its picture, also from another origin, for which browsers ignore the `download` of a link. */
export async function download(url: string, name = ''): Promise<void> {
  const own = new URL(url, location.href);
  if (own.origin === location.origin || own.protocol === 'data:') return save(url, nameFor(own, name));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const blob = URL.createObjectURL(await response.blob());
  save(blob, nameFor(own, name));
  setTimeout(() => URL.revokeObjectURL(blob), 60_000);
}

function save(url: string, name: string): void {
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
}

/** The name with the extension of the file; without a name, that of the file. */
function nameFor(url: URL, name: string): string {
  const file = url.protocol === 'data:' ? '' : fileName(url.pathname);
  const extension = /\.[^.]{1,8}$/.exec(file)?.[0] ?? '';
  const isWhole = name.toLowerCase().endsWith(extension.toLowerCase());
  return name === '' ? file : name + (isWhole ? '' : extension);
}
