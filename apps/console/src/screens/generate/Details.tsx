import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { generationsGetOptions, isOpen } from '../../api/index.ts';
import { GenerationDetails, libraryWords } from '../../library/index.ts';
import { useNames } from '../../shell/index.ts';
import { useIsPhone } from '../../ui/index.ts';

interface DetailsProps {
  readonly id: number;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The details of a generation without outputs: those of others stand on the stage. */
export function Details({ id, opened, onClose }: DetailsProps) {
  const names = useNames();
  const isPhone = useIsPhone();
  const { data } = useQuery(generationsGetOptions({ path: { id } }));
  const isOnStage = data !== undefined && !isOpen(data) && data.outputs.length > 0;
  return (
    <Drawer
      opened={opened && !isOnStage}
      onClose={onClose}
      position="right"
      size={isPhone ? '100%' : 560}
      title={libraryWords.generation.title(id)}
    >
      <GenerationDetails key={id} id={id} names={names} />
    </Drawer>
  );
}
