import { NumberInput, Tooltip } from '@mantine/core';
import { Dices } from 'lucide-react';
import { IconButton } from '../ui/index.ts';
import type { FieldProps } from './field-props.ts';
import { words } from './words.ts';

/** A seed: chosen by the service, typed, or drawn at random. */
export function SeedInput({ field, value, error, onChange }: FieldProps) {
  return (
    <NumberInput
      hideControls
      label={field.label}
      description={field.description}
      error={error}
      clampBehavior="none"
      placeholder={words.seedByService}
      value={typeof value === 'number' ? value : ''}
      onChange={onChange}
      rightSection={
        <Tooltip label={words.drawSeed}>
          <IconButton
            icon={Dices}
            iconSize={18}
            label={words.drawSeed}
            variant="subtle"
            color="gray"
            onClick={() => onChange(Math.floor(Math.random() * 1_000_000))}
          />
        </Tooltip>
      }
    />
  );
}
