import { Decoder, Demuxer, Scaler } from 'node-av/api';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AV_LOG_QUIET,
  AV_PKT_DATA_DISPLAYMATRIX,
} from 'node-av/constants';
import { Log, type Frame, type Stream } from 'node-av/lib';
import type { Container } from './container.ts';

/** The only decoders that may process untrusted bytes. */
const CODECS = new Set([
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AV_CODEC_ID_MPEG4,
]);
/** 8K. */
const MAX_PIXELS = 7_680 * 4_320;
/** Videos often begin with black. The poster of a short video is the frame after a tenth of its duration. */
const POSTER_SECONDS = 1;
const POSTER_SHARE = 0.1;
const MAX_DECODED_FRAMES = 150;
/** Longer side of the extracted frame, in pixels. */
const FRAME_EDGE = 1_024;

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A frame of a video, as it is stored. */
export interface VideoFrame {
  readonly rgb: Buffer;
  /** Size of `rgb`. */
  readonly frame: Size;
  /** Size of the video, with square pixels. */
  readonly full: Size;
  /** Clockwise degrees that turn the frame upright: 0, 90, 180 or 270. */
  readonly turn: number;
  /** Seconds; `null` if the video does not declare it. */
  readonly duration: number | null;
}

Log.setLevel(AV_LOG_QUIET);

/** The video stream of a file. Throws for videos that exceed a limit or have another codec. */
export function videoOf(demuxer: Demuxer): Stream {
  const stream = demuxer.video();
  if (!stream) throw new Error('the file has no video stream');
  const { codecId, width, height } = stream.codecpar;
  if (!CODECS.has(codecId)) throw new Error('the codec is not supported');
  const pixels = width * height;
  if (!(pixels > 0 && pixels <= MAX_PIXELS)) throw new Error(`${pixels} pixels`);
  return stream;
}

/** Extracts the frame that represents the video. Throws for videos that can't be read or exceed a limit. */
export async function readFrame(file: string, format: Container): Promise<VideoFrame> {
  // Without a format, FFmpeg would try others too, some of which refer to other files.
  await using demuxer = await Demuxer.open(file, { format });
  const stream = videoOf(demuxer);
  const duration = demuxer.duration > 0 ? demuxer.duration : null;
  const poster = Math.min(POSTER_SECONDS, (duration ?? 0) * POSTER_SHARE);
  using decoded = await frameAt(demuxer, stream, poster);
  const full = sizeOf(decoded);
  const scale = Math.min(1, FRAME_EDGE / Math.max(full.width, full.height));
  const frame = { width: scaled(full.width, scale), height: scaled(full.height, scale) };
  using scaler = new Scaler();
  const rgb = await scaler.toBuffer(decoded, { resize: frame, format: 'rgb' });
  return { rgb, frame, full, turn: turnOf(stream), duration };
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

/** The first frame shown at `seconds` or later, or the last one that can be decoded. */
async function frameAt(demuxer: Demuxer, stream: Stream, seconds: number): Promise<Frame> {
  // Each further thread would buffer frames.
  using decoder = await Decoder.create(stream, { context: { threadCount: 1 } });
  const { num, den } = stream.timeBase;
  let found: Frame | null = null;
  let count = 0;
  for await (const frame of decoder.frames(demuxer.packets(stream.index))) {
    if (!frame) continue;
    found?.free();
    found = frame;
    const shownAt = (Number(frame.bestEffortTimestamp) * num) / den - startOf(stream);
    if (shownAt >= seconds || ++count >= MAX_DECODED_FRAMES) break;
  }
  if (!found) throw new Error('no frame can be decoded');
  return found;
}

function startOf({ startTime, timeBase: { num, den } }: Stream): number {
  return Math.max(0, (Number(startTime) * num) / den);
}

/** The size of a frame with square pixels. */
export function sizeOf(frame: Frame): Size {
  return { width: Math.round(frame.width * pixelShape(frame)), height: frame.height };
}

/** The ratio of width to height of a pixel; implausible values count as 1. */
function pixelShape(frame: Frame): number {
  const { num, den } = frame.sampleAspectRatio;
  const shape = num / den;
  return shape >= 0.2 && shape <= 5 ? shape : 1;
}

/** The first row of the display matrix is the direction of the picture's right side. */
export function turnOf(stream: Stream): number {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 36) return 0;
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI;
  return (Math.round(degrees / 90) * 90 + 360) % 360;
}
