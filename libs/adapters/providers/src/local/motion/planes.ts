/** A picture as H.264 takes it: BT.709 luma 16..235, and colour differences 16..240 at half the size. */
export interface Planes {
  /** Even numbers. */
  readonly width: number;
  readonly height: number;
  readonly y: Float32Array;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** BT.709 of one 8-bit colour. */
export function yuvOf(red: number, green: number, blue: number): readonly [number, number, number] {
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [
    16 + (luma * 219) / 255,
    128 + ((blue - luma) * 224) / 255 / 1.8556,
    128 + ((red - luma) * 224) / 255 / 1.5748,
  ];
}

/** From three bytes a pixel; each colour difference is the mean of four pixels. */
export function planesFromRgb(pixels: Uint8Array, width: number, height: number): Planes {
  const half = width / 2;
  const planes = {
    width,
    height,
    y: new Float32Array(width * height),
    u: new Float32Array(half * (height / 2)),
    v: new Float32Array(half * (height / 2)),
  };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [luma, u, v] = yuvOf(pixels[i * 3]!, pixels[i * 3 + 1]!, pixels[i * 3 + 2]!);
      const place = (y >> 1) * half + (x >> 1);
      planes.y[i] = luma;
      planes.u[place]! += u / 4;
      planes.v[place]! += v / 4;
    }
  }
  return planes;
}
