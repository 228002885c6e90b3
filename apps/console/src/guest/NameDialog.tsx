/** @jsxImportSource preact */
import { Field } from './Field.tsx';
import { useGuest } from './guest-context.ts';
import { useModal } from './use-modal.ts';
import { words } from './words.ts';

/** Asks for the guest's name, once. */
export function NameDialog({ onDone }: { readonly onDone: (isKnown: boolean) => void }) {
  const { api } = useGuest();
  const dialog = useModal();
  const send = async (name: string) => {
    await api.enter({ name });
    onDone(true);
  };
  return (
    <dialog
      ref={dialog}
      class="card"
      aria-labelledby="name-title"
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault();
        onDone(false);
      }}
    >
      <h2 id="name-title">{words.nameTitle}</h2>
      <p class="dimmed">{words.nameHint}</p>
      <Field
        label={words.name}
        type="text"
        autocomplete="name"
        maxLength={60}
        action={words.goOn}
        onSend={send}
        onCancel={() => onDone(false)}
      />
    </dialog>
  );
}
