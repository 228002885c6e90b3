import { invalidField } from '#kernel';

declare const email: unique symbol;

/** An e-mail address as it is compared and stored: NFC, lower case, safe in a mail header. */
export type Email = string & { readonly [email]: true };

/** RFC 5321: the longest address that mail can be sent to. */
const MAX_EMAIL_BYTES = 254;
const MAX_LOCAL_PART_BYTES = 64;

// RFC 5322's dot-atom with the letters of RFC 6531; no quoted local parts and no address literals.
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const LABEL = String.raw`(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)`;
const ADDRESS = new RegExp(String.raw`^(${ATOM}(?:\.${ATOM})*)@(?:${LABEL}\.)+(?!\d+$)${LABEL}$`, 'u');

/** @throws DomainError `validation_failed` */
export function emailOf(text: string): Email {
  // Lower case can undo NFC.
  const address = text.normalize('NFC').toLowerCase().normalize('NFC');
  const localPart = ADDRESS.exec(address)?.[1];
  if (localPart === undefined || bytes(localPart) > MAX_LOCAL_PART_BYTES || bytes(address) > MAX_EMAIL_BYTES) {
    throw invalidField('email', 'must be an e-mail address, such as ada@example.com');
  }
  return address as Email;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
