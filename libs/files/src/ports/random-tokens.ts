/** Chance. */
export interface RandomTokens {
  /** A token of at least 128 random bits that never comes twice, of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
  next(): string;
}
