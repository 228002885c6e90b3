import type { Draft } from './draft.ts';

/** Style of a generation with a persona: a trained style, only the style picture, or none. */
export type StyleChoice = number | 'picture' | 'none';

type Styled = Pick<Draft, 'style' | 'trainedStyle'>;

/**
 * @param active the active trained style of the persona, if it fits the model
 * @param takesPicture whether the model takes a style picture, such as that of slot 1
 */
export function styleChoiceOf(
  { style, trainedStyle }: Styled,
  active: number | null,
  takesPicture: boolean,
): StyleChoice {
  if (typeof trainedStyle === 'number') return trainedStyle;
  if (takesPicture && style === 'none') return 'none';
  if (trainedStyle === null && active !== null) return active;
  return takesPicture ? 'picture' : 'none';
}

/** None means none: slot 1 is left out too, and a picture that was chosen in the form. */
export function withStyleChoice({ style }: Styled, choice: StyleChoice, active: number | null): Styled {
  if (choice === 'none') return { trainedStyle: 'none', style: 'none' };
  const shown = style === 'none' ? null : style;
  if (choice === 'picture') return { trainedStyle: 'none', style: shown };
  return { trainedStyle: choice === active ? null : choice, style: shown };
}
