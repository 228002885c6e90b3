import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import { Dices } from 'lucide-react';
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
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.drawSeed}
            onClick={() => onChange(Math.floor(Math.random() * 1_000_000))}
          >
            <Dices size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}
