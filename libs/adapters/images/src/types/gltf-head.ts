/** The properties of a glTF object. (glTF 2.0, 5.17) */
const TOP_LEVEL = new Set(
  (
    'accessors animations asset buffers bufferViews cameras extensions extensionsRequired extensionsUsed extras ' +
    'images materials meshes nodes samplers scene scenes skins textures'
  ).split(' '),
);
/** Properties that other JSON is unlikely to have. */
const isDistinctive = (name: string) => ['accessors', 'bufferViews', 'buffers'].includes(name);

const TOKEN = /[ \t\r\n]*(?:([{}[\]:,])|"([^"\\\0-\x1f]*(?:\\.[^"\\\0-\x1f]*)*)"|-?\d[\d.eE+-]*|true|false|null)/y;
/** A token that is cut off at the end. */
const CUT_TOKEN = /[ \t\r\n]*(?:"[^"\0-\x1f]*(?:\\"[^"\0-\x1f]*)*|-?[\d.eE+-]*|[a-z]*)$/y;

/** Reports whether `text` is a glTF asset written as JSON. */
export function isGltf(text: string): boolean {
  try {
    const { asset } = JSON.parse(text) as { asset?: { version?: unknown } };
    return typeof asset?.version === 'string';
  } catch {
    return false;
  }
}

/**
 * Reports whether `text` is the beginning of a glTF asset written as JSON. If it ends before the required `asset`, the
 * names of the properties decide.
 */
export function isGltfBeginning(text: string): boolean {
  const open: { readonly closedBy: string; name?: string }[] = [];
  const names: string[] = [];
  let at = 0;
  let word: string | undefined;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (!token) break;
    at = TOKEN.lastIndex;
    const mark = token[1];
    const container = open.at(-1);
    if (mark === '{' || mark === '[') open.push({ closedBy: mark === '{' ? '}' : ']' });
    else if (mark === '}' || mark === ']') {
      if (open.pop()?.closedBy !== mark) return false;
    } else if (mark === ':' && container && word !== undefined) {
      container.name = word;
      if (open.length === 1) names.push(word);
      if (open.length === 2 && open[0]!.name === 'asset' && word === 'version') return true;
    }
    if (open.length === 0 || open[0]!.closedBy !== '}') return false;
    word = token[2];
  }
  CUT_TOKEN.lastIndex = at;
  return CUT_TOKEN.test(text) && names.every((name) => TOP_LEVEL.has(name)) && names.some(isDistinctive);
}

/** Reports whether `bytes` are (the beginning of) a glTF asset in its binary form: a header, then a chunk of JSON. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false;
  const [version, length, jsonLength] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  return version === 2 && bytes.toString('latin1', 16, 20) === 'JSON' && length! >= 20 + jsonLength!;
}
