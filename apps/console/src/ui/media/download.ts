/** Downloads a file under its own name, also from another origin, for which browsers ignore the `download` of a link. */
export async function download(url: string): Promise<void> {
  const own = new URL(url, location.href);
  if (own.origin === location.origin || own.protocol === 'data:') return save(url, nameIn(own));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const blob = URL.createObjectURL(await response.blob());
  save(blob, nameIn(own));
  setTimeout(() => URL.revokeObjectURL(blob), 60_000);
}

function save(url: string, name: string): void {
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
}

function nameIn(url: URL): string {
  return url.protocol === 'data:' ? '' : decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
}
