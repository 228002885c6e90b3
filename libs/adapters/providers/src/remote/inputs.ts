import { readFile } from 'node:fs/promises';
import type { MappedValues, RemoteInput, RemoteTask } from '#generation';

/**
 * The values of a task for its mapping.
 *
 * @param deliver sends an input to the vendor and returns the value for its field
 */
export async function mappedValues(
  { prompt, parameters, inputs }: RemoteTask,
  deliver: (input: RemoteInput) => Promise<unknown>,
): Promise<MappedValues> {
  const one = async (input: RemoteInput | null): Promise<unknown> => input && deliver(input);
  const { image, style, mask, control } = inputs;
  const [references, ...single] = await Promise.all([
    Promise.all(inputs.references.map(one)),
    ...[image, style, mask, control].map(one),
  ]);
  const [imageValue, styleValue, maskValue, controlValue] = single;
  return {
    ...parameters,
    prompt,
    references,
    image: imageValue,
    style: styleValue,
    mask: maskValue,
    control: controlValue,
  };
}

export async function dataUri({ file, contentType }: RemoteInput): Promise<string> {
  return `data:${contentType};base64,${await readFile(file, 'base64')}`;
}
