/** Metadata of methods whose request body the edges parse. */
export const TAKES_BODY = Symbol('takes form');
