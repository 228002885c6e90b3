/** `1 member`, `3 members` */
export function count(many: number, one: string): string {
  return `${many.toLocaleString('en')} ${many === 1 ? one : `${one}s`}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The label of a setting of a generation: `Enhance prompt` for `enhance_prompt`, `FPS` for `fps`. */
export function settingLabel(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ').trim();
  return text.length <= 3 ? text.toUpperCase() : capitalized(text);
}

export function settingText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The last segment of the path of a URL. */
export function fileName(url: string): string {
  return decodeURIComponent(url.split(/[?#]/)[0]!.split('/').at(-1) ?? url);
}

/** Reports whether each word of a search is in one of the texts, ignoring case. */
export function matches(search: string, ...texts: readonly (string | null)[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
