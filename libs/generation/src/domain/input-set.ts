import { INPUT_NAMES } from './model.ts';

/** What belongs to the input pictures of a generation, by the input of the model that takes each. */
export interface InputSet<Picture> {
  /** The input image; for a video model its start frame. */
  readonly image: Picture | null;
  readonly style: Picture | null;
  /** Further style references, in order. */
  readonly references: readonly Picture[];
  readonly mask: Picture | null;
  readonly control: Picture | null;
}

export type InputName = keyof InputSet<unknown>;

export interface InputPlace {
  readonly input: InputName;
  /** From 1; of references their order. */
  readonly position: number;
}

/** A member of a set with its place. */
export interface Placed<Picture> extends InputPlace {
  readonly picture: Picture;
}

/** The members of a set, references in their order. */
export function placesOf<Picture>(set: InputSet<Picture>): readonly Placed<Picture>[] {
  return INPUT_NAMES.flatMap((input) => {
    const pictures = input === 'references' ? set.references : [set[input]].filter((picture) => picture !== null);
    return pictures.map((picture, index) => ({ input, position: index + 1, picture }));
  });
}

/** The reverse of `placesOf`, whatever the order of inputs; references are in theirs. */
export function inputSetOf<Picture>(places: readonly Placed<Picture>[]): InputSet<Picture> {
  const all = (input: InputName): Picture[] =>
    places.filter((place) => place.input === input).map(({ picture }) => picture);
  const one = (input: InputName): Picture | null => all(input)[0] ?? null;
  return {
    image: one('image'),
    style: one('style'),
    references: all('references'),
    mask: one('mask'),
    control: one('control'),
  };
}
