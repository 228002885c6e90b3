/** The secret of the invitation whose link opened the page. It lives in memory alone. */
let secret: string | null = null;

/** Takes the secret out of the address before anything else may read it: the history then never has it. */
export function takeInvitation(): void {
  const { pathname, hash } = location;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null || !/\/invitation\/?$/.test(pathname)) return;
  secret = token;
  history.replaceState(history.state, '', pathname);
}

/** @returns `null` when the page was opened without the link, or after the answer */
export function invitationSecret(): string | null {
  return secret;
}

export function forgetInvitation(): void {
  secret = null;
}
