import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type SyntheticEvent, useEffect, useMemo } from 'react';
import { capitalized } from '../../../text.ts';
import { bytes, mediaKind, number, uiWords } from '../../../ui/index.ts';
import type { TrialDto, TrialOutputDto } from '../generated/index.ts';
import { useAccess } from '../operator-queries.ts';
import classes from './Catalogue.module.css';
import { words } from './words.ts';

const text = words.trial;

interface TrialOutcomeProps {
  readonly trial: TrialDto;
  /** True if it is decided what callers pay. */
  readonly hasCost: boolean;
}

/** A trial of a model: that it runs, what it made and what the vendor billed, or why it failed. */
export function TrialOutcome({ trial, hasCost }: TrialOutcomeProps) {
  const { state, outputs, error, seconds, vendor_cost, credits } = trial;
  if (state === 'failed') {
    return (
      <Alert role="alert" color="red" icon={<CircleAlert aria-hidden />} title={text.failed}>
        {capitalized(error?.message ?? uiWords.generation.unknownFailure)}
      </Alert>
    );
  }
  if (state !== 'succeeded') {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">{state === 'queued' ? text.queued : text.running}</Text>
      </Group>
    );
  }
  return (
    <Stack gap={8}>
      {outputs.map((output) => (
        <Output key={output.url} output={output} />
      ))}
      <Text size="sm" role="status">
        {[
          seconds !== null && text.took(number(seconds, 1)),
          vendor_cost === null ? text.noPrice : text.billed(number(vendor_cost, 4)),
          hasCost && text.callers(credits),
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
    </Stack>
  );
}

/** An output is for operators: it is read with their access. */
function Output({ output: { url, content_type, bytes: size } }: { readonly output: TrialOutputDto }) {
  const { download } = useAccess();
  const { data } = useQuery({ queryKey: ['trial output', url], queryFn: () => download(url), staleTime: Infinity });
  const source = useObjectUrl(data);
  if (source === null) return <Loader size="sm" aria-label={uiWords.loading} />;
  const kind = mediaKind(content_type);
  if (kind === 'picture') return <img src={source} alt={text.output} className={classes.output} onLoad={show} />;
  if (kind === 'video')
    return <video src={source} controls loop playsInline className={classes.output} aria-label={text.output} />;
  return (
    <Anchor href={source} download={text.fileName} size="sm">
      {text.download(content_type, bytes(size))}
    </Anchor>
  );
}

/** Scrolls to a loaded picture: it may be below the fold. */
function show({ currentTarget }: SyntheticEvent): void {
  currentTarget.parentElement?.scrollIntoView({ block: 'nearest' });
}

/** The URL of a blob while the component is mounted. */
function useObjectUrl(blob: Blob | undefined): string | null {
  const url = useMemo(() => (blob ? URL.createObjectURL(blob) : null), [blob]);
  useEffect(() => {
    if (url !== null) return () => URL.revokeObjectURL(url);
  }, [url]);
  return url;
}
