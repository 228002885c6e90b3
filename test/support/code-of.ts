/** `ok`, or the code of the error that a call rejects with. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
}
