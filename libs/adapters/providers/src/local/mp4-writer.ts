import { Encoder, FilterAPI, Muxer } from 'node-av/api';
import {
  AV_LOG_ERROR,
  AV_PIX_FMT_RGB24,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Frame, Log, Rational } from 'node-av/lib';
import type { Size } from './output-size.ts';

Log.setLevel(AV_LOG_ERROR);

/** Writes an MP4 file frame by frame. Its index comes first, so that playback starts while it loads. */
export interface Mp4Writer {
  /** @param pixels three bytes per pixel; they must not change until the promise resolves */
  write(pixels: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** @param filters a filter chain of FFmpeg for every frame */
export async function openMp4(file: string, size: Size, fps: number, filters: string): Promise<Mp4Writer> {
  const conversion = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';
  const filter = FilterAPI.create(`${conversion},${filters}`, { graph: { nbThreads: 1 } });
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
  const timeBase = { num: 1, den: fps };
  let frames = 0n;
  return {
    async write(pixels) {
      using frame = Frame.fromVideoBuffer(pixels, { ...size, format: AV_PIX_FMT_RGB24, pts: frames++, timeBase });
      for (const filtered of await filter.processAll(frame)) await encode(filtered).finally(() => filtered.free());
    },
    async close() {
      await encode(null);
      filter.close();
      encoder.close();
      await muxer.close();
    },
  };
}
