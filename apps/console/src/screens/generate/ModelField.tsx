import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ModelDto } from '../../api/index.ts';
import { costText, ModelMark } from '../../model-form/index.ts';
import { later } from '../../ui/index.ts';
import classes from './ModelField.module.css';
import { words } from './words.ts';

const ModelChooser = later('opened', async () => (await import('./ModelChooser.tsx')).ModelChooser);

interface ModelFieldProps {
  readonly models: readonly ModelDto[];
  readonly model: ModelDto;
  readonly onChange: (id: string) => void;
}

/** The chosen model; a press offers the others. */
export function ModelField({ models, model, onChange }: ModelFieldProps) {
  const [isOpen, chooser] = useDisclosure(false);
  const choose = (id: string) => {
    onChange(id);
    chooser.close();
  };
  return (
    <>
      <UnstyledButton className={classes.model} aria-haspopup="dialog" title={model.title} onClick={chooser.open}>
        <ModelMark model={model} />
        <span className={classes.text}>
          <VisuallyHidden>{words.model}</VisuallyHidden>
          <Text span size="sm" fw={600} display="block" truncate>
            {model.title}
          </Text>
          <Text span size="xs" c="dimmed" display="block" truncate>
            {model.provider} · {costText(model)}
          </Text>
        </span>
      </UnstyledButton>
      <ModelChooser opened={isOpen} onClose={chooser.close} models={models} chosen={model.id} onChoose={choose} />
    </>
  );
}
