import { type Origin, outputOf } from '../../ui/index.ts';

/** The picture that the address of the editor names. */
export function editedOf({ image, pid, parent }: Readonly<Record<string, unknown>>): Origin | null {
  if (typeof image !== 'string' || !URL.canParse(image)) return null;
  return { url: image, pid: typeof pid === 'number' ? pid : null, output: outputOf(parent) };
}
