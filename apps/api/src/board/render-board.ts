import { setImmediate } from 'node:timers/promises';
import type { WholeBoard } from '#board';
import { jsonOf } from '../http/index.ts';
import { mediaDtos, WholeBoardResponse, wholeBoardResponse } from './board.dto.ts';
import type { Shown } from './shown-media.ts';

/** Media items in a slice: these take about 5 ms. */
export const SLICE = 1_000;
/** The end of the JSON, after the last media item. */
const END = ']}}';

const toJson = jsonOf(WholeBoardResponse);

/** The JSON of a board's response. Other requests run between slices of the media. */
export async function renderBoard(board: WholeBoard, shown: Shown): Promise<string> {
  const { media } = board;
  const text = toJson(wholeBoardResponse({ ...board, media: media.slice(0, SLICE) }, shown));
  if (media.length <= SLICE) return text;
  let longer = text.slice(0, -END.length);
  for (let start = SLICE; start < media.length; start += SLICE) {
    await setImmediate();
    longer += `,${JSON.stringify(mediaDtos(media.slice(start, start + SLICE), shown)).slice(1, -1)}`;
  }
  return longer + END;
}
