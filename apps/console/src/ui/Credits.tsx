import { Text, type TextProps } from '@mantine/core';
import { number } from './formats.ts';
import { words } from './words.ts';

/** `1,200 credits` */
export function Credits({ amount, ...text }: { readonly amount: number } & TextProps) {
  return (
    <Text span inherit style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }} {...text}>
      {words.credits(number(amount), amount === 1)}
    </Text>
  );
}
