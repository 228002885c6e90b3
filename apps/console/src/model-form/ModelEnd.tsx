import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ModelDto } from '../api/index.ts';
import { endOf, type NamedModel } from './model-end.ts';

interface ModelEndProps extends NamedModel {
  readonly models: readonly ModelDto[];
  readonly className?: string;
}

/** A sentence for a model that ends soon, or has: when, and which model goes on. */
export function ModelEnd({ models, className, ...named }: ModelEndProps) {
  const [now] = useState(() => new Date());
  const sentence = endOf(named, models, now);
  if (sentence === null) return null;
  return (
    <Text span display="block" size="sm" fw={560} mt={4} dir="auto" className={className}>
      {sentence}
    </Text>
  );
}
