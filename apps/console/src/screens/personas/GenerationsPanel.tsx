import { Anchor, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Heart, Sparkles } from 'lucide-react';
import { useMemo } from 'react';
import type { GenerationResponse, OutputDto, OutputReferenceDto } from '../../api/index.ts';
import { ActionMenuItem, EmptyState, Hint, mediaKind, number, uiWords, VirtualGrid } from '../../ui/index.ts';
import { PANEL_HEIGHT, type PanelProps } from './LikesPanel.tsx';
import { PictureTile } from './PictureTile.tsx';
import { SlotItems } from './SlotItems.tsx';
import { words } from './words.ts';

interface Output extends OutputDto {
  readonly id: string;
  readonly reference: OutputReferenceDto;
  readonly name: string;
}

export function outputsOf(generations: readonly GenerationResponse[]): readonly Output[] {
  return generations.flatMap(({ id, prompt, outputs }) => {
    return outputs.map((output, at) => ({
      ...output,
      id: `output-${id}-${at}`,
      reference: { generation_id: id, output: output.index },
      name: prompt || uiWords.picker.output(id),
    }));
  });
}

/** The newest outputs of the persona. */
export function GenerationsPanel({ persona, pictures, onLook }: PanelProps) {
  const outputs = useMemo(() => outputsOf(persona.generations), [persona.generations]);
  if (outputs.length === 0) {
    return <EmptyState icon={Sparkles} title={words.noGenerations} hint={words.noGenerationsHint} />;
  }
  return (
    <>
      <Hint mb="sm">
        {words.newestOf(persona.generations.length, number(persona.generations_count))}{' '}
        <Anchor component={Link} to="/library" search={{ persona: persona.id } as never} inherit>
          {words.allGenerations}
        </Anchor>
      </Hint>
      <VirtualGrid items={outputs} label={words.tabs.generations} height={PANEL_HEIGHT}>
        {(output) => (
          <PictureTile
            media={output}
            name={output.name}
            picture={mediaKind(output.content_type) === 'picture' ? { url: output.url } : null}
            onLook={() => onLook(output.id)}
            menuLabel={words.menuOfLike(output.name)}
            menu={
              <>
                <SlotItems
                  slots={persona.slots}
                  label={words.putIn}
                  labelOf={words.putInOf}
                  onSlot={(slot) => pictures.fillWithUrl(slot, output.url)}
                />
                <Menu.Divider />
                <ActionMenuItem icon={Heart} label={words.addToLikes} onClick={() => pictures.likeUrls([output.url])} />
              </>
            }
          />
        )}
      </VirtualGrid>
    </>
  );
}
