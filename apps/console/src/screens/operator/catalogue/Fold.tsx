import { Box, Collapse, Text, UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Catalogue.module.css';

interface FoldProps {
  readonly label: string;
  /** True if it has a problem that must be seen. */
  readonly isWrong?: boolean;
  readonly children: ReactNode;
}

/** A part of a form that few people need, behind its label. */
export function Fold({ label, isWrong = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.fold}
        aria-expanded={isOpen || isWrong}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={16} aria-hidden />
        <Text span size="sm" fw={600}>
          {label}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen || isWrong} id={id}>
        <Box pt={10}>{children}</Box>
      </Collapse>
    </div>
  );
}
