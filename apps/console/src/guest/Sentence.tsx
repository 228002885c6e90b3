/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { drafts, NO_DRAFT } from './drafts.ts';
import { errorText } from './errors.ts';
import { said } from './words.ts';

interface SentenceProps {
  /** The key of its draft, which is kept until it is sent. */
  readonly name: string;
  readonly label: string;
  readonly action: string;
  readonly rows?: number;
  readonly maxLength: number;
  readonly id?: string;
  /** The text, where it is kept elsewhere. */
  readonly text?: string;
  readonly onText?: (text: string) => void;
  /** The form is emptied when it resolves to true, and shows the error when it rejects. */
  readonly onSend: (text: string) => Promise<boolean>;
  /** Closes the form, which then has the focus when it appears. */
  readonly onCancel?: () => void;
  /** Above the buttons. */
  readonly children?: ComponentChildren;
}

/** A field for some sentences with a button. Ctrl-Enter sends it, Escape leaves it; its text is lost by neither. */
export function Sentence(props: SentenceProps) {
  const { name, label, action, rows = 2, maxLength, onSend, onCancel, children } = props;
  const own = useId();
  const id = props.id ?? own;
  const field = useRef<HTMLTextAreaElement>(null);
  const [kept, setKept] = useState(() => props.text ?? drafts.read(name).text);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const isFocused = onCancel !== undefined;
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const text = props.onText ? (props.text ?? '') : kept;
  const change = (next: string) => {
    if (props.onText) return props.onText(next);
    drafts.write(name, next === '' ? NO_DRAFT : { ...NO_DRAFT, text: next });
    setKept(next);
  };
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === '' || isSending) return;
    setSending(true);
    setProblem(null);
    try {
      if ((await onSend(text)) && !props.onText) change('');
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return void send(event);
    if (event.key !== 'Escape') return;
    // Not the viewer's: the next Escape closes that.
    event.preventDefault();
    if (onCancel) onCancel();
    else field.current?.closest('dialog')?.querySelector('button')?.focus();
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={rows}
        maxLength={maxLength}
        dir="auto"
        value={text}
        aria-describedby={`${id}-problem`}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        {children}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {said.cancel}
          </button>
        )}
        <button type="submit" class="main" disabled={isSending || text.trim() === ''}>
          {action}
        </button>
      </div>
    </form>
  );
}
