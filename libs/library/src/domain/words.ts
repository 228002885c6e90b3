/** Longer words are cut. */
const MAX_WORD_UNITS = 64;

/** Scripts that write no spaces between words: each of their characters is a word. */
const CHARACTERS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Extended_Pictographic}`;
const WORDS = new RegExp(
  String.raw`[${CHARACTERS}]|[[\p{L}\p{N}]--[${CHARACTERS}]][[\p{L}\p{N}\p{M}]--[${CHARACTERS}]]*`,
  'gv',
);

/** Letters that do not come apart into a letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/**
 * The words of a text as they are searched: without case, accents, punctuation and compatibility forms, in their order. Takes
 * time in proportion to the text: words are cut before they are normalized.
 *
 * @param most further words are left out
 */
export function wordsOf(text: string, most: number): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(WORDS)) {
    // A compatibility form can stand for several words.
    for (const [plain] of folded(word.slice(0, MAX_WORD_UNITS)).matchAll(WORDS)) {
      if (words.length === most) return words;
      words.push(plain);
    }
  }
  return words;
}

function folded(word: string): string {
  return word
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[æœøßłđðþıς]/g, (letter) => PLAIN[letter]!)
    .normalize('NFC');
}

/** The least length of a word that is searched with its endings, and forgiven typing errors. */
const LEAST_PREFIX = 3;
const LEAST_FORGIVEN = 4;
const LEAST_FORGIVEN_TWICE = 8;

export function isPrefix(word: string): boolean {
  return word.length >= LEAST_PREFIX;
}

export function mayHaveTypingErrors(word: string): boolean {
  return word.length >= LEAST_FORGIVEN && /\p{L}/u.test(word);
}

/** Reports whether `asked` is `known`, or its beginning, with one typing error, or with two in a long word. */
export function isTypingErrorOf(asked: string, known: string): boolean {
  if (!mayHaveTypingErrors(asked)) return false;
  const most = asked.length < LEAST_FORGIVEN_TWICE ? 1 : 2;
  const lengths = [known.length, asked.length - 1, asked.length, asked.length + 1];
  return lengths.some((length) => distance(asked, known.slice(0, length)) <= most);
}

/** Typing errors between two words: letters that are added, missing, other ones, or exchanged with their neighbours. */
function distance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}
