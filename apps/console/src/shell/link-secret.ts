/** The parameter of the fragment that contains the secret, for each page that a link opens. */
const PARAMETERS = {
  invitation: 'token',
  'sign-in': 'link',
  'reset-password': 'token',
  'confirm-email': 'token',
} as const;
type Page = keyof typeof PARAMETERS;

/** The secret of the link that opened the page, only in memory. */
let taken: { readonly page: Page; readonly secret: string } | null = null;

/** Moves the secret from the address to memory before other code runs, so that the browser's history does not contain it. */
export function takeLinkSecret(): void {
  taken = secretOf(location);
  if (taken) history.replaceState(history.state, '', location.pathname);
  // A link that opens the page that is already shown changes only the fragment.
  addEventListener('hashchange', () => secretOf(location) && location.reload());
}

function secretOf({ pathname, hash }: Location): typeof taken {
  const page = (Object.keys(PARAMETERS) as Page[]).find((each) => pathname.replace(/\/$/, '').endsWith(`/${each}`));
  const secret = page && new URLSearchParams(hash.slice(1)).get(PARAMETERS[page]);
  return secret ? { page, secret } : null;
}

/** @returns `null` if the page was opened without a link, or its secret was used */
export function linkSecret(page: Page): string | null {
  return taken?.page === page ? taken.secret : null;
}

export function forgetLinkSecret(): void {
  taken = null;
}
