/** Maximum pixels of a picture, and maximum bytes of one decoded page. */
export const MAX_PIXELS = 50_000_000;
export const MAX_DECODED_BYTES = 4 * MAX_PIXELS;
