import type { GenerationRequest } from './domain/generation.ts';
import type { InputSource, SlotPictures } from './domain/resolve-inputs.ts';
import type { GenerateCall } from './generations.ts';

export const NO_SLOTS: SlotPictures = { master: null, styles: [], main: null };

/**
 * The call that asks for the same generation again, whatever the slots and styles of its persona are now: to be prepared
 * with `NO_SLOTS`.
 *
 * @param urlOf the URL of a stored file
 */
export function callOf(request: GenerationRequest, urlOf: (key: string) => string): GenerateCall {
  const { inputs, model, personaId, trainedStyle, parent, webhook, prompt, parameters, customer, metadata } = request;
  const urlOfSource = (source: InputSource): string => ('key' in source ? urlOf(source.key) : source.url);
  const ifAny = (source: InputSource | null): string | null => source && urlOfSource(source);
  return {
    presetId: null,
    variables: null,
    model,
    personaId,
    styleTransfer: ifAny(inputs.style) ?? 'none',
    styleId: trainedStyle?.id ?? 'none',
    image: ifAny(inputs.image),
    extraImages: inputs.references.map(urlOfSource),
    maskImage: ifAny(inputs.mask),
    controlImage: ifAny(inputs.control),
    parent,
    webhook,
    customer,
    metadata,
    prompt,
    // A given prompt is taken as it is.
    fields: { ...parameters, prompt },
    dryRun: false,
  };
}
