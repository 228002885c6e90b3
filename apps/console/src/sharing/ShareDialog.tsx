import { Alert, Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { SecretField, useIsPhone } from '../ui/index.ts';
import { newForm, type Shared } from './share-form.ts';
import { ShareFields } from './ShareFields.tsx';
import { ShareList } from './ShareList.tsx';
import { useShareCreation, useShares } from './use-shares.ts';
import { words } from './words.ts';

interface ShareDialogProps {
  /** Items to share; null while the dialog is closed. */
  readonly shared: Shared | null;
  /** The name of the board or folder that it is, or that it is in. */
  readonly name: string;
  readonly onClose: () => void;
}

/** A link that was made, with what is known of it only now. */
interface Made {
  readonly url: string;
  readonly password: string | null;
}

/** Makes links for guests, and shows those that there are. While a new link is shown, only its button closes the dialog. */
export function ShareDialog({ shared, name, onClose }: ShareDialogProps) {
  const isPhone = useIsPhone();
  const [made, setMade] = useState<Made | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Modal
      opened={shared !== null}
      onClose={close}
      title={made ? words.madeTitle : titleOf(shared, name)}
      size="lg"
      fullScreen={isPhone}
      withCloseButton={!made}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
    >
      {made ? <MadeLink {...made} onDone={close} /> : shared && <Links shared={shared} name={name} onMade={setMade} />}
    </Modal>
  );
}

function titleOf(shared: Shared | null, name: string): string {
  return shared && 'media_ids' in shared ? words.titleOfItems(shared.media_ids.length) : words.title(name);
}

function MadeLink({ url, password, onDone }: Made & { readonly onDone: () => void }) {
  return (
    <Stack>
      <Alert role="status" icon={<ShieldCheck aria-hidden />} color="sea" variant="light" title={words.madeHint}>
        <Text size="sm">{words.caution}</Text>
      </Alert>
      <SecretField label={words.link} value={url} isFocused />
      {password !== null && <SecretField label={words.password} value={password} />}
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.done}</Button>
      </Group>
    </Stack>
  );
}

interface LinksProps {
  readonly shared: Shared;
  readonly name: string;
  readonly onMade: (made: Made) => void;
}

function Links({ shared, name, onMade }: LinksProps) {
  const links = useShares(shared.board_id);
  return (
    <Tabs defaultValue="make" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="make">{words.tabs.make}</Tabs.Tab>
        <Tabs.Tab value="links">{words.tabs.links(links.items?.length ?? 0)}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="make">
        <NewLink shared={shared} name={name} onMade={onMade} />
      </Tabs.Panel>
      <Tabs.Panel value="links">
        <ShareList {...links} />
      </Tabs.Panel>
    </Tabs>
  );
}

function NewLink({ shared, name, onMade }: LinksProps) {
  const creation = useShareCreation(shared);
  return (
    <Stack gap="md">
      <Text size="sm">
        {words.hint} {words.caution}
      </Text>
      <ShareFields
        initial={newForm(name)}
        action={words.make}
        sending={creation}
        onSend={(form) =>
          creation.mutate(form, {
            onSuccess: ({ share }) => onMade({ url: share.url, password: form.hasPassword ? form.password : null }),
          })
        }
      />
    </Stack>
  );
}
