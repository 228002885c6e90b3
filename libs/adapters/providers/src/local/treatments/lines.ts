import { blur } from '../picture/blur.ts';
import { smearAlongFlow, type FlowField } from '../picture/flow-field.ts';
import { smoothstep, type Picture } from '../picture/picture.ts';

/**
 * Contours as a pen would draw them: 1 where there is none, towards 0 on the dark side of an edge. A difference
 * of Gaussians, smoothed along the edges so that lines run through (Winnemöller et al. 2012).
 *
 * @param weight width of the pen in pixels
 * @param sensitivity how faint an edge may be and still be drawn, about 1
 */
export function contours(
  picture: Picture,
  field: FlowField,
  weight: number,
  sensitivity: number,
): Float32Array {
  const { width, height } = picture;
  const sigma = Math.max(0.6, weight * 0.6);
  const narrow = blur(picture.l, width, height, sigma);
  const wide = blur(picture.l, width, height, sigma * 1.7);
  for (let i = 0; i < narrow.length; i++) narrow[i]! -= wide[i]!;
  const response = smearAlongFlow(narrow, width, height, field, Math.max(2, Math.round(weight * 2.5)));
  for (let i = 0; i < response.length; i++) {
    response[i] = 1 - smoothstep(0.006, 0.03, -response[i]! * sensitivity);
  }
  return response;
}
