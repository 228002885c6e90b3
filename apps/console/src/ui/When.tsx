import { Text, type TextProps, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fullTime, relativeTime } from './formats.ts';

interface WhenProps extends TextProps {
  readonly at: string | null;
  /** Shown without a time. */
  readonly none?: string;
}

/** A relative time that updates by itself, with the full time in a tooltip. */
export function When({ at, none, ...text }: WhenProps) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null) return none === undefined ? null : <Text inherit c="dimmed" children={none} />;
  const time = new Date(at);
  return (
    <Tooltip label={fullTime(time)}>
      <Text component="time" inherit dateTime={at} {...text}>
        {relativeTime(time, now)}
      </Text>
    </Tooltip>
  );
}
