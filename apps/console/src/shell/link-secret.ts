/** The parameter of the fragment that contains the secret, for each page that a link opens. */
const PARAMETERS = { invitation: 'token', 'sign-in': 'link' } as const;
type Page = keyof typeof PARAMETERS;

/** The secret of the link that opened the page, only in memory. */
let taken: { readonly page: Page; readonly secret: string } | null = null;

/** Moves the secret from the address to memory before other code runs, so that the browser's history does not contain it. */
export function takeLinkSecret(): void {
  const { pathname, hash } = location;
  const page = /\/(invitation|sign-in)\/?$/.exec(pathname)?.[1] as Page | undefined;
  const secret = page && new URLSearchParams(hash.slice(1)).get(PARAMETERS[page]);
  if (!secret) return;
  taken = { page, secret };
  history.replaceState(history.state, '', pathname);
}

/** @returns `null` if the page was opened without a link, or its secret was used */
export function linkSecret(page: Page): string | null {
  return taken?.page === page ? taken.secret : null;
}

export function forgetLinkSecret(): void {
  taken = null;
}
