import { Decoder, Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api';
import { AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS, FF_ENCODER_LIBX264 } from 'node-av/constants';
import type { Frame, Packet } from 'node-av/lib';
import type { Container } from './container.ts';
import { type Size, sizeOf, turnOf, videoOf } from './read-frame.ts';

/** Longer side, in pixels. */
const EDGE = 960;
/** About 1 Mbit/s, at most 2 in a second. */
const RATE = { preset: 'veryfast', crf: 28, 'x264-params': 'vbv-maxrate=2000:vbv-bufsize=2000' };
/** Codecs of sound that an MP4 file may have, and that browsers play. Others are left out. */
const SOUNDS = new Set([AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS]);
/** Filters that turn a frame upright, by clockwise degrees. */
const TURNS: Readonly<Record<number, string>> = {
  0: '',
  90: 'transpose=clock,',
  180: 'hflip,vflip,',
  270: 'transpose=cclock,',
};

/**
 * Writes a video as MP4: smaller, upright, with square pixels, with its sound. Its index comes first, so that playback
 * starts while it loads. Throws for videos that can't be read or exceed a limit.
 *
 * @param drawMark writes a picture of the size of the clip, which is put over each frame; null for none
 */
export async function writeClip(
  file: string,
  format: Container,
  target: string,
  drawMark: ((size: Size) => Promise<string>) | null,
): Promise<void> {
  await using demuxer = await Demuxer.open(file, { format });
  const stream = videoOf(demuxer);
  const found = demuxer.audio();
  const sound = found && SOUNDS.has(found.codecpar.codecId) ? found : null;
  // Each further thread would buffer frames.
  using decoder = await Decoder.create(stream, { context: { threadCount: 1 } });
  using encoder = await Encoder.create(FF_ENCODER_LIBX264, { context: { threadCount: 1 }, options: RATE });
  await using muxer = await Muxer.open(target, { format: 'mp4', options: { movflags: '+faststart' } });
  const pictures = muxer.addStream(encoder);
  const sounds = sound && muxer.addStream(sound);

  let filter: FilterAPI | null = null;
  const encode = async (frame: Frame | null) => {
    for (const packet of await encoder.encodeAll(frame)) {
      await muxer.writePacket(packet, pictures).finally(() => packet.free());
    }
  };
  const write = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      filter ??= FilterAPI.create(await filtersOf(frame, turnOf(stream), drawMark), { graph: { nbThreads: 1 } });
      const filtered = await filter.processAll(frame).finally(() => frame.free());
      for (const each of filtered) await encode(each).finally(() => each.free());
    }
  };
  try {
    for await (const packet of demuxer.packets()) {
      if (!packet) continue;
      await take(packet).finally(() => packet.free());
    }
    await write(await decoder.decodeAll(null));
    if (!filter) throw new Error('no frame can be decoded');
    await encode(null);
  } finally {
    (filter as FilterAPI | null)?.close();
  }

  async function take(packet: Packet): Promise<void> {
    if (packet.streamIndex === stream.index) await write(await decoder.decodeAll(packet));
    else if (packet.streamIndex === sound?.index) await muxer.writePacket(packet, sounds!);
  }
}

async function filtersOf(
  frame: Frame,
  turn: number,
  drawMark: ((size: Size) => Promise<string>) | null,
): Promise<string> {
  const stored = sizeOf(frame);
  const full = turn % 180 === 0 ? stored : { width: stored.height, height: stored.width };
  const scale = Math.min(1, EDGE / Math.max(full.width, full.height));
  // H.264 stores colours for each two by two pixels.
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2));
  const size = { width: even(full.width), height: even(full.height) };
  const scaled = `${TURNS[turn] ?? ''}scale=${size.width}:${size.height},setsar=1`;
  if (!drawMark) return `${scaled},format=yuv420p`;
  const mark = (await drawMark(size)).replace(/[\\':,;[\]]/g, '\\$&');
  return `movie=filename=${mark}[mark];[in]${scaled}[scaled];[scaled][mark]overlay,format=yuv420p`;
}
