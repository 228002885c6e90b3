const NAMES = '[\\w.-]*(?:password|passwd|secret|token|signature|credential|authorization|cookie|api[_-]?key)';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // A member of a JSON object, which may be inside a string of the line.
  [new RegExp(`(\\\\?"${NAMES}\\\\?":\\\\?")(?:[^"\\\\]|\\\\[^"])*`, 'gi'), '$1[redacted]'],
  // A query parameter; some signed URLs use `sig`.
  [new RegExp(`([?&](?:${NAMES}|sig)=)[^&"'\\s\\\\]+`, 'gi'), '$1[redacted]'],
  [/\b(Bearer|Basic)( +)[\w.~+/=-]+/gi, '$1$2[redacted]'],
  [/\bx12_[\w-]{20,}/g, 'x12_[redacted]'],
  // The password in a URL, such as that of the database.
  [/(:\/\/[^\s:/@"]*:)[^\s@/"]+@/g, '$1[redacted]@'],
];

/** Redacts the secrets in a log line. */
export function scrubSecrets(line: string): string {
  let scrubbed = line;
  for (const [secret, replacement] of SECRETS) scrubbed = scrubbed.replace(secret, replacement);
  return scrubbed;
}
