import type { MarkDto } from '../../api/index.ts';
import { words } from './words.ts';

/** The last part of the URI of a digital source type: `trainedAlgorithmicMedia`. */
export function typeName(uri: string): string {
  return uri.split('/').at(-1)!;
}

/** A digital source type in words; its name where there are none. */
export function typeText(uri: string): string {
  return words.types[typeName(uri)] ?? typeName(uri);
}

/** Reports whether a mark is a signature that does not fit the file. */
export function isBroken({ intact }: Pick<MarkDto, 'intact'>): boolean {
  return intact === false;
}

/** A mark in one line. */
export function markText({ kind, signer, intact, trusted, digital_source_type: type }: MarkDto): string {
  if (kind === 'xmp') {
    const isByAi = type !== null && /AlgorithmicMedia$/.test(type);
    return isByAi ? words.marked(signer) : words.markedAs(type && typeName(type), signer);
  }
  const by = signer ?? words.somebody;
  if (isBroken({ intact })) return words.broken(by);
  return [words.signed(by), intact && words.intact, trusted ? words.trusted : words.notTrusted]
    .filter(Boolean)
    .join(' · ');
}
