/** Hosts of pages that show a model, and where its name stands in the path. */
const PAGES: Readonly<Record<string, RegExp>> = {
  'replicate.com': /^\/([\w.-]+\/[\w.-]+)(?:\/|$)/,
  'fal.ai': /^\/models\/((?:[\w.-]+\/)*?[\w.-]+)(?:\/(?:playground|api|llms\.txt))?\/?$/,
};

/**
 * The vendor's name of a model, which may be pasted as the URL of its page.
 *
 * @returns `owner/name` of Replicate, the endpoint of fal; any other text as it is, without blanks around it
 */
export function modelNameIn(text: string): string {
  const name = text.trim();
  const url = /^https?:\/\//i.test(name) ? URL.parse(name) : null;
  if (!url) return name;
  const host = url.hostname.replace(/^www\./, '');
  const page = Object.hasOwn(PAGES, host) ? PAGES[host]! : null;
  return page?.exec(url.pathname)?.[1] ?? name;
}
