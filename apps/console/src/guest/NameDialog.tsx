/** @jsxImportSource preact */
import { Field } from './Field.tsx';
import { useGuest } from './guest-context.ts';
import { useModal } from './use-modal.ts';
import { said } from './words.ts';

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
      <h2 id="name-title">{said.nameTitle}</h2>
      <p class="dimmed">{said.nameHint}</p>
      <Field
        label={said.name}
        type="text"
        autocomplete="name"
        maxLength={60}
        action={said.goOn}
        onSend={send}
        onCancel={() => onDone(false)}
      />
    </dialog>
  );
}
