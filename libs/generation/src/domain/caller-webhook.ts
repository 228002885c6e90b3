import { invalidField } from '#kernel';

/** @throws DomainError `validation_failed` for a URL that must not be called */
export function assertCallable(webhook: string | null, mayCall: (url: string) => boolean): void {
  if (webhook === null || mayCall(webhook)) return;
  throw invalidField('webhook', 'must be at a public host, on port 80 or 443, without credentials');
}
