/** Pixels of the largest picture that is read, and the bytes that one page of it may have once decoded. */
export const MAX_PIXELS = 50_000_000;
export const MAX_DECODED_BYTES = 4 * MAX_PIXELS;
