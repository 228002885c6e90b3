/** A token of 144 random bits, of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
export function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
}
