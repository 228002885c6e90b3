import { Menu } from '@mantine/core';
import type { SlotDto } from '../../api/index.ts';
import { titleOf } from './slot-words.ts';

interface SlotItemsProps {
  readonly slots: readonly SlotDto[];
  readonly label: string;
  readonly labelOf: (slot: number, title: string, isFilled: boolean) => string;
  readonly onSlot: (slot: number) => void;
}

/** Menu items to choose a slot. */
export function SlotItems({ slots, label, labelOf, onSlot }: SlotItemsProps) {
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {slots.map(({ slot, training_id }) => (
        <Menu.Item key={slot} py={5} onClick={() => onSlot(slot)}>
          {labelOf(slot, titleOf(slot), training_id !== null)}
        </Menu.Item>
      ))}
    </>
  );
}
