import { Text, type TextProps } from '@mantine/core';
import { words } from '../words.ts';
import { number } from './formats.ts';

/** `1,200 credits` */
export function Credits({ amount, ...text }: { readonly amount: number } & TextProps) {
  return (
    <Text span inherit style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }} {...text}>
      {words.ui.credits(number(amount), amount === 1)}
    </Text>
  );
}
