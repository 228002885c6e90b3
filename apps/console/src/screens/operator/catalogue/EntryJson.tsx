import { JsonInput } from '@mantine/core';
import { useState } from 'react';
import type { Entry } from './entry.ts';
import { words } from './words.ts';

const text = words.entry;

/** The whole entry as text. It is used as soon as it is an object. */
export function EntryJson({ entry, onReplace }: { readonly entry: Entry; readonly onReplace: (entry: Entry) => void }) {
  const current = JSON.stringify(entry, null, 2);
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const change = (text: string) => {
    setTyped(text);
    const parsed = objectIn(text);
    setWrong(parsed === null);
    if (parsed) onReplace(parsed);
  };
  return (
    <JsonInput
      autosize
      minRows={6}
      maxRows={24}
      aria-label={text.json}
      description={text.jsonHint}
      error={isWrong && text.notJson}
      spellCheck={false}
      dir="ltr"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
      value={typed ?? current}
      onChange={change}
      onBlur={() => !isWrong && setTyped(null)}
    />
  );
}

export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
