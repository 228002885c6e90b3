/**
 * The fields of a request body or query string by name, each given once. From a form the values are strings, from
 * JSON anything JSON has. No string in it holds a NUL character or a lone surrogate. It has no prototype.
 */
export type FieldValues = Readonly<Record<string, unknown>>;
