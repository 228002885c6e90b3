import { Encoder, Muxer } from 'node-av/api';
import {
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Frame, Log, Rational } from 'node-av/lib';
import type { FrameBytes } from './frame-painter.ts';

Log.setLevel(AV_LOG_ERROR);

/** Writes an MP4 file frame by frame; its index comes first, so that it plays while it loads. */
export class Mp4Writer {
  readonly #encoder: Encoder;
  readonly #muxer: Muxer;
  readonly #stream: number;
  readonly #fps: number;
  #frames = 0;

  private constructor(encoder: Encoder, muxer: Muxer, fps: number) {
    this.#encoder = encoder;
    this.#muxer = muxer;
    this.#fps = fps;
    this.#stream = muxer.addStream(encoder);
  }

  static async open(file: string, fps: number): Promise<Mp4Writer> {
    const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
      context: {
        // One thread: the same frames give the same bytes on every machine.
        threadCount: 1,
        framerate: new Rational(fps, 1),
        gopSize: fps * 2,
        colorRange: AVCOL_RANGE_MPEG,
        colorSpace: AVCOL_SPC_BT709,
        colorPrimaries: AVCOL_PRI_BT709,
        colorTrc: AVCOL_TRC_BT709,
      },
      options: { preset: 'veryfast', crf: 19 },
    });
    const muxer = await Muxer.open(file, { format: 'mp4', options: { movflags: '+faststart' } });
    return new Mp4Writer(encoder, muxer, fps);
  }

  /** The encoder reads the frame where it is: its bytes must not change until the promise resolves. */
  write(frame: FrameBytes): Promise<void> {
    const picture = Frame.fromVideoBuffer(frame.bytes, {
      width: frame.width,
      height: frame.height,
      format: AV_PIX_FMT_YUV420P,
      pts: BigInt(this.#frames++),
      timeBase: { num: 1, den: this.#fps },
    });
    return this.#encode(picture).finally(() => picture.free());
  }

  async close(): Promise<void> {
    await this.#encode(null);
    this.#encoder.close();
    await this.#muxer.close();
  }

  async #encode(picture: Frame | null): Promise<void> {
    for (const packet of await this.#encoder.encodeAll(picture)) {
      await this.#muxer.writePacket(packet, this.#stream);
      packet.free();
    }
  }
}
