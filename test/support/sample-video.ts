import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Encoder, Muxer } from 'node-av/api';
import { AV_LOG_ERROR, AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264, type FFVideoEncoder } from 'node-av/constants';
import { Frame, Log, Rational } from 'node-av/lib';

export interface SampleVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Degrees, clockwise, by which a player has to turn it. */
  readonly turn?: 0 | 90 | 180 | 270;
  readonly encoder?: FFVideoEncoder;
  /** True if it begins with half a second of black. */
  readonly blackFirst?: boolean;
  readonly format?: 'mp4' | 'webm';
  /** Flags of FFmpeg for the order of boxes; by default the index comes first, with `null` last. */
  readonly movflags?: string | null;
}

const FPS = 10;

Log.setLevel(AV_LOG_ERROR);

/** In Y, U and V: the left half, then the right half. */
const BLACK = [
  [16, 16],
  [128, 128],
  [128, 128],
] as const;
const RED_AND_BLUE = [
  [81, 41],
  [90, 240],
  [240, 110],
] as const;

/** A video whose left half is red and whose right half is blue. */
export async function aVideo({
  width,
  height,
  seconds,
  turn = 0,
  encoder = FF_ENCODER_LIBX264,
  blackFirst = false,
  format = 'mp4',
  movflags = '+faststart',
}: SampleVideo): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-video-'));
  try {
    const file = join(folder, 'video');
    const encoding = await Encoder.create(encoder, { context: { threadCount: 1, framerate: new Rational(FPS, 1) } });
    const options = format === 'mp4' && movflags !== null ? { movflags } : {};
    const muxer = await Muxer.open(file, { format, options });
    const stream = muxer.addStream(encoding);
    const write = async (frame: Frame | null) => {
      for (const packet of await encoding.encodeAll(frame)) {
        await muxer.writePacket(packet, stream);
        packet.free();
      }
    };
    for (let number = 0; number < seconds * FPS; number++) {
      const colors = blackFirst && number < FPS / 2 ? BLACK : RED_AND_BLUE;
      const bytes = Buffer.concat(
        colors.map((halves, plane) =>
          plane === 0 ? planeOf(width, height, halves) : planeOf(width / 2, height / 2, halves),
        ),
      );
      const frame = Frame.fromVideoBuffer(bytes, {
        width,
        height,
        format: AV_PIX_FMT_YUV420P,
        pts: BigInt(number),
        timeBase: { num: 1, den: FPS },
      });
      await write(frame);
      frame.free();
    }
    await write(null);
    encoding.close();
    await muxer.close();
    const bytes = await readFile(file);
    return format === 'mp4' ? turned(bytes, turn) : bytes;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function planeOf(width: number, height: number, [left, right]: readonly [number, number]): Buffer {
  const row = Buffer.alloc(width, left).fill(right, width / 2);
  return Buffer.concat(Array<Buffer>(height).fill(row));
}

/** Writes how it was held into the header of its track, as cameras do. */
function turned(mp4: Buffer, degrees: number): Buffer {
  const matrix = mp4.indexOf('tkhd') + 44;
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  [cos, sin, 0, -sin, cos].forEach((value, i) => mp4.writeInt32BE(value * 65_536, matrix + 4 * i));
  return mp4;
}
