import { Group, Modal, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { words } from '../words.ts';
import { AddressTab } from './AddressTab.tsx';
import { BoardTab } from './BoardTab.tsx';
import { GeneratedTab } from './GeneratedTab.tsx';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { useIsPhone } from '../use-is-phone.ts';
import { PersonaTab } from './PersonaTab.tsx';

interface MediaPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Called once with the chosen media, at least one, in the order of choice. */
  readonly onPick: (picked: readonly PickedMedia[]) => void;
  /** Maximum chosen media; with 1 the first choice closes the dialog. */
  readonly most?: number;
  readonly accept?: 'pictures' | 'all';
  /** The persona whose files are shown first. */
  readonly personaId?: number | null;
}

const TABS = [
  ['generated', GeneratedTab],
  ['boards', BoardTab],
  ['personas', PersonaTab],
  ['address', AddressTab],
] as const;

/** Chooses stored media (outputs, media of boards, files of personas) or a web address. */
export function MediaPicker({ opened, onClose, title, ...pick }: MediaPickerProps) {
  const isPhone = useIsPhone();
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={760} fullScreen={isPhone}>
      <Choice onClose={onClose} {...pick} />
    </Modal>
  );
}

type ChoiceProps = Omit<MediaPickerProps, 'opened' | 'title'>;

function Choice({ onClose, onPick, most = 1, accept = 'pictures', personaId = null }: ChoiceProps) {
  const [chosen, setChosen] = useState<readonly PickedMedia[]>([]);
  const finish = (picked: readonly PickedMedia[]) => {
    onPick(picked);
    onClose();
  };
  const isFull = chosen.length >= most;
  const choose = (media: PickedMedia) => {
    if (most === 1) return finish([media]);
    const others = chosen.filter(({ url }) => url !== media.url);
    if (others.length < chosen.length) setChosen(others);
    else if (!isFull) setChosen([...chosen, media]);
  };
  const tab: PickTabProps = { chosen, isFull, onChoose: choose, accept, personaId };
  return (
    <>
      <Tabs defaultValue="generated" keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map(([name]) => (
            <Tabs.Tab key={name} value={name} px={{ base: 10, sm: 'md' }}>
              {words.picker[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([name, Tab]) => (
          <Tabs.Panel key={name} value={name}>
            <Tab {...tab} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {most > 1 && (
        <Group justify="space-between" mt="md">
          <Text size="sm" fw={isFull ? 600 : undefined} c={isFull ? undefined : 'dimmed'} aria-live="polite" flex={1}>
            {isFull ? words.picker.full(most) : words.picker.chosen(chosen.length, most)}
          </Text>
          <ActionButton label={words.picker.use} disabled={chosen.length === 0} onClick={() => finish(chosen)} />
        </Group>
      )}
    </>
  );
}
