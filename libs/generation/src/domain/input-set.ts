import { INPUT_NAMES, type InputName } from '#catalogue';

/** A value for each input picture of a generation, by the model's input. */
export interface InputSet<Picture> {
  /** The input image; for a video model its start frame. */
  readonly image: Picture | null;
  readonly style: Picture | null;
  /** Further style references, in order. */
  readonly references: readonly Picture[];
  readonly mask: Picture | null;
  readonly control: Picture | null;
  /** The pictures that a style is trained on, in order. */
  readonly pictures: readonly Picture[];
}

export interface InputPlace {
  readonly input: InputName;
  /** From 1; the order of references and pictures. */
  readonly position: number;
}

/** A picture and its place. */
export interface Placed<Picture> extends InputPlace {
  readonly picture: Picture;
}

/** The pictures of a set with their places. Lists keep their order. */
export function placesOf<Picture>(set: InputSet<Picture>): readonly Placed<Picture>[] {
  return INPUT_NAMES.flatMap((input) => {
    const pictures = [set[input] ?? []].flat() as readonly Picture[];
    return pictures.map((picture, index) => ({ input, position: index + 1, picture }));
  });
}

/** How an output was made, for its mark. */
export interface MadeFrom {
  /** `null` for a trial. */
  readonly generationId: number | null;
  /** True if a picture went in. */
  readonly hasPictures: boolean;
}

export function madeFrom(generationId: number | null, inputs: InputSet<unknown>): MadeFrom {
  return { generationId, hasPictures: placesOf(inputs).length > 0 };
}

/** The reverse of `placesOf`. Lists keep their order; the order of inputs does not matter. */
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
    pictures: all('pictures'),
  };
}
