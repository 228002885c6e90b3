import { FileCheck, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { MarkDto } from '../../api/index.ts';
import { Hint } from '../../ui/index.ts';
import { isBroken, markText } from './marks.ts';
import classes from './Provenance.module.css';
import { words } from './words.ts';

/** The marks in a file, each in one line; null for a file that is not read. */
export function Marks({ marks }: { readonly marks: readonly MarkDto[] | null }) {
  if (marks === null) return <Hint>{words.notRead}</Hint>;
  if (marks.length === 0) return <Hint>{words.noMarks}</Hint>;
  return (
    <ul className={classes.marks}>
      {marks.map((mark) => (
        <Mark key={markText(mark)} mark={mark} />
      ))}
    </ul>
  );
}

function Mark({ mark }: { readonly mark: MarkDto }) {
  const wasChanged = isBroken(mark);
  const Icon = wasChanged ? ShieldAlert : mark.kind === 'c2pa' ? ShieldCheck : FileCheck;
  return (
    <li className={classes.mark} data-broken={wasChanged || undefined}>
      <Icon size={18} aria-hidden />
      <span dir="auto">{markText(mark)}</span>
    </li>
  );
}
