import { Tabs } from '@mantine/core';
import { number, Section } from '../../ui/index.ts';
import { FilesPanel } from './FilesPanel.tsx';
import { GenerationsPanel } from './GenerationsPanel.tsx';
import { LikesPanel, type PanelProps } from './LikesPanel.tsx';
import { words } from './words.ts';

interface LibraryProps extends PanelProps {
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}

/** The likes, files and generations of a persona. */
export function Library({ tab, onTab, ...panel }: LibraryProps) {
  const { likes, files, generations } = words.tabs;
  const { likes_count, generations_count } = panel.persona;
  return (
    <Section>
      <Tabs value={tab} onChange={(next) => onTab(next ?? 'likes')} keepMounted={false} aria-label={words.library}>
        <Tabs.List mb="md">
          <Tabs.Tab value="likes">{`${likes} ${number(likes_count)}`}</Tabs.Tab>
          <Tabs.Tab value="files">{files}</Tabs.Tab>
          <Tabs.Tab value="generations">{`${generations} ${number(generations_count)}`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="likes">
          <LikesPanel {...panel} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesPanel {...panel} />
        </Tabs.Panel>
        <Tabs.Panel value="generations">
          <GenerationsPanel {...panel} />
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}
