/** The pages that links open, and the parameter of their fragment that holds the secret. */
const PARAMETERS = { invitation: 'token', 'sign-in': 'link' } as const;
type Page = keyof typeof PARAMETERS;

/** The secret of the link that opened the page. It lives in memory alone. */
let taken: { readonly page: Page; readonly secret: string } | null = null;

/** Takes the secret out of the address before anything else may read it: the history then never has it. */
export function takeLinkSecret(): void {
  const { pathname, hash } = location;
  const page = /\/(invitation|sign-in)\/?$/.exec(pathname)?.[1] as Page | undefined;
  const secret = page && new URLSearchParams(hash.slice(1)).get(PARAMETERS[page]);
  if (!secret) return;
  taken = { page, secret };
  history.replaceState(history.state, '', pathname);
}

/** @returns `null` when the page was opened without a link, or its secret was used */
export function linkSecret(page: Page): string | null {
  return taken?.page === page ? taken.secret : null;
}

export function forgetLinkSecret(): void {
  taken = null;
}
