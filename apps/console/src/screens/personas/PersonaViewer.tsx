import { Alert, Stack, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { PersonaDto, TrainingDto } from '../../api/index.ts';
import { ActionButton, adviceFor, MediaViewer, Note, type ViewedMedia, When } from '../../ui/index.ts';
import { useFiles } from './FilesPanel.tsx';
import { outputsOf } from './GenerationsPanel.tsx';
import type { PersonaPictures } from './persona-pictures.ts';
import { nameOf } from './LikesPanel.tsx';
import { titleOf } from './slot-words.ts';
import { words } from './words.ts';

interface PersonaViewerProps {
  readonly persona: PersonaDto;
  readonly pictures: PersonaPictures;
  /** The id of a training, `file-…` or `output-…`. */
  readonly openId: string;
  readonly onOpen: (id: string | number | null) => void;
}

/** Pictures of a persona over the whole window: its slots and likes, its files, or its outputs. */
export function PersonaViewer({ persona, pictures, openId, onOpen }: PersonaViewerProps) {
  if (openId.startsWith('file-')) return <FilesViewer persona={persona} openId={openId} onOpen={onOpen} />;
  const outputs = openId.startsWith('output-') ? outputsOf(persona.generations) : [];
  const media = outputs.length > 0 ? outputs : trainingsOf(persona);
  const referenceOf = ({ id }: ViewedMedia) => outputs.find((each) => each.id === id)?.reference ?? null;
  const trainingOf = ({ id }: ViewedMedia) => persona.trainings.find((each) => String(each.id) === id);
  return (
    <MediaViewer
      media={media}
      origin={(viewed) => ({ pid: persona.id, output: referenceOf(viewed) })}
      openId={openId === '' ? null : openId}
      onOpen={onOpen}
      details={(viewed) => <Details training={trainingOf(viewed)} />}
      absent={(viewed) => <Absent training={trainingOf(viewed)} onRetry={(training) => pictures.retry(training)} />}
    />
  );
}

function FilesViewer({ persona, openId, onOpen }: Omit<PersonaViewerProps, 'pictures'>) {
  const { items: files = [] } = useFiles(persona.id);
  const media = files.map((file) => ({ ...file, id: `file-${file.id}`, name: file.filename }));
  return (
    <MediaViewer media={media} origin={() => ({ pid: persona.id, output: null })} openId={openId} onOpen={onOpen} />
  );
}

function trainingsOf({ trainings }: PersonaDto): readonly ViewedMedia[] {
  const places = trainings.toSorted((one, other) => (one.slot ?? Infinity) - (other.slot ?? Infinity) || 0);
  return places.map((training) => {
    const { id, slot, image, extras, state } = training;
    const name = slot === null ? nameOf(training) : extras || `${slot} · ${titleOf(slot)}`;
    return { id: String(id), name, url: state === 'processed' ? image : null, content_type: null };
  });
}

function Details({ training }: { readonly training: TrainingDto | undefined }) {
  if (!training) return null;
  const { extras, info, created_at } = training;
  return (
    <Stack gap="md">
      <Fact label={words.prompt}>{extras}</Fact>
      <Fact label={words.notes}>{info}</Fact>
      <div>
        <Note>{words.saved}</Note>
        <When at={created_at} fz="sm" />
      </div>
    </Stack>
  );
}

interface AbsentProps {
  readonly training: TrainingDto | undefined;
  readonly onRetry: (training: TrainingDto) => void;
}

/** Shown for a picture that is not stored: the reason and the advice. */
function Absent({ training, onRetry }: AbsentProps) {
  if (!training?.error) return <Text>{words.copying}</Text>;
  return (
    <Alert maw={460} color="red" icon={<CircleAlert aria-hidden />} title={words.notUsable}>
      <Text size="sm" c="var(--mantine-color-text)">
        {adviceFor(training.error, words.failedAdvice)}
      </Text>
      <Note mt={4}>
        {training.error} · {training.image}
      </Note>
      <ActionButton label={words.tryAgain} size="xs" mt="sm" variant="default" onClick={() => onRetry(training)} />
    </Alert>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: string | null }) {
  if (!children) return null;
  return (
    <div>
      <Note>{label}</Note>
      <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
