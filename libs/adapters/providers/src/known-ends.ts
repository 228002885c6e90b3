import type { KnownEnd } from '#catalogue';

interface Row {
  /** The type of the provider. */
  readonly type: string;
  /** The vendor's model or endpoint, at Replicate without its version. */
  readonly target: RegExp;
  readonly retiresAt: string;
  /** The vendor's model that replaces it. */
  readonly successor?: string;
}

/** Ends of models that vendors have announced. For OpenAI: docs "Deprecations"; for Imagen: Google's "Deprecations". */
const KNOWN_ENDS: readonly Row[] = [
  { type: 'openai', target: /^dall-e-[23]$/, retiresAt: '2026-05-12' },
  { type: 'openai', target: /^gpt-image-1$/, retiresAt: '2026-10-23', successor: 'gpt-image-1.5' },
  { type: 'openai', target: /^gpt-image-1-mini$/, retiresAt: '2026-12-01' },
  { type: 'replicate', target: /^google\/imagen-4(-[a-z]+)?$/, retiresAt: '2026-08-17' },
  { type: 'fal', target: /^(google\/imagen-4(-[a-z]+)?|fal-ai\/imagen4\/.+)$/, retiresAt: '2026-08-17' },
];

/** The announced end of a vendor's model; `null` when none is known. */
export function knownEndOf(type: string, target: string): KnownEnd | null {
  const [name = ''] = target.split(':');
  const known = KNOWN_ENDS.find((each) => each.type === type && each.target.test(name));
  return known ? { retiresAt: known.retiresAt, successor: known.successor ?? null } : null;
}
