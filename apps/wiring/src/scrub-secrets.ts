const NAMES =
  '[\\w.-]*(?:password|passwd|secret|token|signature|credential|authorization|cookie|api[_-]?key)';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // A member of a JSON object, as it stands in the line or in a text within it.
  [new RegExp(`(\\\\?"${NAMES}\\\\?":\\\\?")(?:[^"\\\\]|\\\\[^"])*`, 'gi'), '$1[redacted]'],
  // A query parameter; signed URLs call theirs `sig` and the like.
  [new RegExp(`([?&](?:${NAMES}|sig)=)[^&"'\\s\\\\]+`, 'gi'), '$1[redacted]'],
  [/\b(Bearer|Basic)( +)[\w.~+/=-]+/gi, '$1$2[redacted]'],
  [/\bx12_[\w-]{20,}/g, 'x12_[redacted]'],
  // The password within a URL, such as the database's.
  [/(:\/\/[^\s:/@"]*:)[^\s@/"]+@/g, '$1[redacted]@'],
];

/** Takes what must never be in a log out of a line of it, wherever in the line it stands. */
export function scrubSecrets(line: string): string {
  let scrubbed = line;
  for (const [secret, replacement] of SECRETS) scrubbed = scrubbed.replace(secret, replacement);
  return scrubbed;
}
