/** @jsxImportSource preact */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { errorText } from './errors.ts';
import { words } from './words.ts';

interface FieldProps {
  readonly label: string;
  readonly type: 'text' | 'password';
  readonly autocomplete: string;
  readonly maxLength: number;
  readonly action: string;
  readonly onSend: (text: string) => Promise<unknown>;
  readonly onCancel?: () => void;
  readonly problemOf?: (error: unknown) => string;
}

/** A form with one field, which has the focus. A refusal is shown at the field, which keeps its text. */
export function Field({ label, action, onSend, onCancel, problemOf = errorText, type, ...input }: FieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === '' || isSending) return;
    setSending(true);
    try {
      await onSend(text);
    } catch (error) {
      setProblem(problemOf(error));
      field.current?.focus();
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        // Preact's types have a variant of an input for each type.
        type={type as 'text'}
        {...input}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
        <button type="submit" class="main" disabled={isSending}>
          {action}
        </button>
      </div>
    </form>
  );
}
