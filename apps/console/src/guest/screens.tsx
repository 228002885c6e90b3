/** @jsxImportSource preact */
import { type GuestApi, GuestError, type Opened } from './api.ts';
import { errorText } from './errors.ts';
import { Field } from './Field.tsx';
import { words } from './words.ts';

interface NoticeProps {
  readonly title: string;
  readonly hint: string;
  readonly action?: string;
  readonly onAction?: () => unknown;
}

/** A page without a gallery. */
export function Notice({ title, hint, action, onAction }: NoticeProps) {
  return (
    <main class="message">
      <div class="card" role="status">
        <h1>{title}</h1>
        <p class="dimmed">{hint}</p>
        {action && (
          <button type="button" class="main" onClick={() => void onAction?.()}>
            {action}
          </button>
        )}
      </div>
    </main>
  );
}

/** Asks for the password of the link. */
export function PasswordScreen({
  api,
  onOpen,
}: {
  readonly api: GuestApi;
  readonly onOpen: (opened: Opened) => Promise<void>;
}) {
  const send = async (password: string) => {
    await onOpen(await api.enter({ password }));
  };
  return (
    <main class="message">
      <div class="card">
        <h1>{words.passwordTitle}</h1>
        <p class="dimmed">{words.passwordHint}</p>
        <Field
          label={words.password}
          type="password"
          autocomplete="current-password"
          maxLength={200}
          action={words.open}
          onSend={send}
          problemOf={problemOf}
        />
      </div>
    </main>
  );
}

function problemOf(error: unknown): string {
  const isWrong = error instanceof GuestError && [401, 403, 404].includes(error.status);
  return isWrong ? words.wrongPassword : errorText(error);
}
