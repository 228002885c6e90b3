import { Badge, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Brush, Check, CircleOff, Columns2, Pencil, Trash2 } from 'lucide-react';
import { generationsGetOptions, type ModelDto, type PersonaDto, type StyleDto } from '../../api/index.ts';
import {
  ActionButton,
  ActionMenu,
  Hint,
  MediaThumb,
  Note,
  QueryState,
  Section,
  storedPicture,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import { TrainStyle } from './TrainStyle.tsx';
import { filledStyleSlots, isTraining, useComparison, useStyleChanges, useStyles, useTrainers } from './use-styles.ts';
import classes from './StylesPanel.module.css';
import { words } from './words.ts';

const text = words.styles;
const POLL_MS = 1500;

/** The trained styles of a persona, and the way to train another. Absent where no model trains styles. */
export function StylesPanel({ persona }: { readonly persona: PersonaDto }) {
  const styles = useStyles(persona.id);
  const { data } = styles;
  const trainers = useTrainers();
  if (!trainers || (trainers.length === 0 && !data?.styles.length)) return null;
  return (
    <Section title={text.title} actions={<Train persona={persona} trainers={trainers} />}>
      {!data && <QueryState query={styles} rows={1} height={64} />}
      {data?.styles.length === 0 && <Hint>{text.hint}</Hint>}
      {data && data.styles.length > 0 && (
        <Stack component="ul" gap={10} m={0} p={0} style={{ listStyle: 'none' }} aria-label={text.list}>
          {data.styles.map((style) => (
            <StyleRow key={style.id} style={style} persona={persona} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Train({ persona, trainers }: { readonly persona: PersonaDto; readonly trainers: readonly ModelDto[] }) {
  const [isOpen, dialog] = useDisclosure(false);
  const least = Math.min(...trainers.map(({ inputs }) => inputs.min_pictures));
  const missing = least - filledStyleSlots(persona).length;
  if (trainers.length === 0) return null;
  return (
    <>
      {missing > 0 && <Note>{text.needs(missing)}</Note>}
      <ActionButton
        icon={Brush}
        iconSize={14}
        label={text.train}
        size="compact-sm"
        variant="light"
        disabled={missing > 0}
        onClick={dialog.open}
      />
      <Modal opened={isOpen} onClose={dialog.close} title={text.trainTitle(persona.name)}>
        <TrainStyle persona={persona} trainers={trainers} onClose={dialog.close} />
      </Modal>
    </>
  );
}

function StyleRow({ style, persona }: { readonly style: StyleDto; readonly persona: PersonaDto }) {
  return (
    <li className={classes.row} data-active={style.is_active || undefined}>
      <div className={classes.pictures} aria-hidden>
        {style.pictures.slice(0, 6).map(({ training_id, url }) => (
          <MediaThumb key={training_id} media={storedPicture(url)} alt="" width={30} className={classes.picture} />
        ))}
      </div>
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate dir="auto" title={style.name}>
          {style.name}
        </Text>
        <Note component="div">
          {style.model} · <When at={style.created_at} />
        </Note>
        {isTraining(style) && <TrainingProgress style={style} />}
        {style.error && (
          <Text size="xs" c="var(--mantine-color-error)">
            {style.error.message}
          </Text>
        )}
        {style.is_outdated && style.state === 'ready' && <Note>{text.outdated}</Note>}
      </div>
      <StyleState style={style} />
      <StyleMenu style={style} persona={persona} />
    </li>
  );
}

function StyleState({ style }: { readonly style: StyleDto }) {
  const color = style.state === 'failed' ? 'red' : style.is_active || style.state === 'running' ? 'sea' : 'gray';
  return <Badge color={color}>{style.is_active ? text.active : text.states[style.state]}</Badge>;
}

function TrainingProgress({ style }: { readonly style: StyleDto }) {
  const { data } = useQuery({
    ...generationsGetOptions({ path: { id: style.generation_id } }),
    refetchInterval: POLL_MS,
  });
  return (
    <Progress
      mt={6}
      size="sm"
      value={100 * (data?.progress ?? 0)}
      animated={style.state === 'running'}
      aria-label={text.progress(style.name)}
    />
  );
}

function StyleMenu({ style, persona }: { readonly style: StyleDto; readonly persona: PersonaDto }) {
  const { fill, ask, dialogs } = useRecordDialogs();
  const { activate, remove, rename } = useStyleChanges(persona);
  const askForName = () =>
    fill({
      title: text.renameTitle,
      fields: { name: { label: text.name, initial: style.name, maxLength: 100 } },
      submit: text.save,
      send: ({ name }) => rename(style.id, name),
    });
  const askToDelete = () => {
    const what = isTraining(style) ? text.cancels : text.deletes;
    ask({ title: text.deleteTitle, what, action: text.deleteAction }, () => remove(style));
  };
  const compare = useComparison(style, persona);
  const askToCompare = () => fill(compare);
  const choice = style.is_active
    ? { label: text.putAside, icon: CircleOff, onClick: () => activate.mutate(null) }
    : { label: text.activate, icon: Check, onClick: () => activate.mutate(style.id) };
  const items = [
    ...(style.state === 'ready' ? [choice, { label: text.compare, icon: Columns2, onClick: askToCompare }] : []),
    { label: text.rename, icon: Pencil, onClick: askForName },
    { label: text.delete, icon: Trash2, onClick: askToDelete, isDangerous: true },
  ];
  return (
    <>
      <ActionMenu label={text.menuOf(style.name)} items={items} />
      {dialogs}
    </>
  );
}
