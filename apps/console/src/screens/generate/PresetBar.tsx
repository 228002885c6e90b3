import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Bookmark, BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import type { ModelDto, PresetDto } from '../../api/index.ts';
import { BatchButton } from '../../batch-form/index.ts';
import type { Draft } from '../../model-form/draft.ts';
import { modelFormWords, type PresetSettings, SaveAsPreset, settingsOfDraft } from '../../model-form/index.ts';
import { PresetChooser } from './PresetChooser.tsx';
import { words } from './words.ts';

interface PresetBarProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  readonly models: readonly ModelDto[];
  readonly onChoose: (preset: PresetDto) => void;
}

/** Fills the form from a preset, or saves it as one. */
export function PresetBar({ draft, model, models, onChoose }: PresetBarProps) {
  const [isOpen, chooser] = useDisclosure(false);
  const [saving, setSaving] = useState<PresetSettings | null>(null);
  const choose = (preset: PresetDto) => {
    onChoose(preset);
    chooser.close();
  };
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-haspopup="dialog"
          leftSection={<Bookmark size={15} aria-hidden />}
          onClick={chooser.open}
        >
          {words.presets.open}
        </Button>
        <BatchButton source={{ draft, model }} />
        <Button
          size="compact-sm"
          variant="subtle"
          aria-haspopup="dialog"
          leftSection={<BookmarkPlus size={15} aria-hidden />}
          onClick={() => setSaving(settingsOfDraft(draft, model))}
        >
          {modelFormWords.presets.save}
        </Button>
      </Group>
      <PresetChooser opened={isOpen} onClose={chooser.close} models={models} onChoose={choose} />
      <SaveAsPreset settings={saving} onClose={() => setSaving(null)} />
    </>
  );
}
