/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { drafts, NO_DRAFT } from './drafts.ts';
import { errorText } from './errors.ts';
import { words } from './words.ts';

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

/** The text, kept as a draft unless it is kept elsewhere. */
function useText({ name, text: known, onText }: SentenceProps): [string, (text: string) => void] {
  const [kept, setKept] = useState(() => known ?? drafts.read(name).text);
  if (onText) return [known ?? '', onText];
  const change = (next: string) => {
    drafts.write(name, next === '' ? NO_DRAFT : { ...NO_DRAFT, text: next });
    setKept(next);
  };
  return [kept, change];
}

/** Sends a text unless it is blank. The problem is that of the last attempt. */
function useSend(text: string, work: () => Promise<void>) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === '' || isSending) return;
    setSending(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setSending(false);
    }
  };
  return { problem, isSending, send };
}

/** A field for some sentences with a button. Ctrl-Enter sends it, Escape leaves it; its text is lost by neither. */
export function Sentence(props: SentenceProps) {
  const { label, action, rows = 2, maxLength, onSend, onCancel, children } = props;
  const own = useId();
  const id = props.id ?? own;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, change] = useText(props);
  const { problem, isSending, send } = useSend(text, async () => {
    if ((await onSend(text)) && !props.onText) change('');
  });
  const isFocused = onCancel !== undefined;
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
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
            {words.cancel}
          </button>
        )}
        <button type="submit" class="main" disabled={isSending || text.trim() === ''}>
          {action}
        </button>
      </div>
    </form>
  );
}
