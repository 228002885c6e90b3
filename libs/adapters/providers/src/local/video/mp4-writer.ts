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
import type { Size } from '../output-size.ts';

Log.setLevel(AV_LOG_ERROR);

/** Writes an MP4 file frame by frame. Its index comes first, so that playback starts while it loads. */
export interface Mp4Writer {
  /** @param frame planes in YUV 4:2:0; the encoder reads it in place: it must not change until the promise resolves */
  write(frame: Buffer): Promise<void>;
  close(): Promise<void>;
}

export async function openMp4(file: string, size: Size, fps: number): Promise<Mp4Writer> {
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    context: {
      // With one thread the same frames give the same bytes on every machine.
      threadCount: 1,
      framerate: new Rational(fps, 1),
      gopSize: fps * 2,
      colorRange: AVCOL_RANGE_MPEG,
      colorSpace: AVCOL_SPC_BT709,
      colorPrimaries: AVCOL_PRI_BT709,
      colorTrc: AVCOL_TRC_BT709,
    },
    // The macroblock tree of x264 165 gives other bytes in each run of one process.
    options: { preset: 'veryfast', crf: 19, 'x264-params': 'mbtree=0' },
  });
  const muxer = await Muxer.open(file, { format: 'mp4', options: { movflags: '+faststart' } });
  const stream = muxer.addStream(encoder);
  const encode = async (picture: Frame | null) => {
    for (const packet of await encoder.encodeAll(picture)) {
      await muxer.writePacket(packet, stream);
      packet.free();
    }
  };
  let frames = 0;
  return {
    async write(frame) {
      const picture = Frame.fromVideoBuffer(frame, {
        width: size.width,
        height: size.height,
        format: AV_PIX_FMT_YUV420P,
        pts: BigInt(frames++),
        timeBase: { num: 1, den: fps },
      });
      await encode(picture).finally(() => picture.free());
    },
    async close() {
      await encode(null);
      encoder.close();
      await muxer.close();
    },
  };
}
