import { Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type GenerationResponse, generationsGetOptions, type OutputDto } from '../../api/index.ts';
import { ErrorNotice, FailureNotice, Loading, mediaKind, MediaStage } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './Compare.module.css';
import { CompareSlider } from './CompareSlider.tsx';
import { namesWith } from './GenerationDetails.tsx';
import { type Setting, settingsOf } from './settings.ts';
import type { Names } from './use-history.ts';

interface CompareProps {
  /** The ids of the generations; null while the dialog is closed. */
  readonly pair: readonly [number, number] | null;
  readonly names: Names;
  readonly onClose: () => void;
}

const said = words.history.compare;

/** Compares two generations over the whole page: their outputs and their settings. */
export function Compare({ pair, names, onClose }: CompareProps) {
  return (
    <Modal opened={pair !== null} onClose={onClose} title={said.title} fullScreen>
      {pair && <Pair pair={pair} names={names} />}
    </Modal>
  );
}

function Pair({ pair, names }: { readonly pair: readonly [number, number]; readonly names: Names }) {
  const [left, right] = useQueries({ queries: pair.map((id) => ({ ...generationsGetOptions({ path: { id } }) })) });
  const failed = [left, right].find((each) => each?.error && !each.data);
  if (failed) return <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!left?.data || !right?.data) return <Loading rows={2} height={240} />;
  return (
    <Stack gap="lg" className={classes.compare}>
      <Results left={left.data} right={right.data} />
      <Settings pair={pair} rows={settingsOf([left.data, right.data], namesWith(names))} />
    </Stack>
  );
}

interface ResultsProps {
  readonly left: GenerationResponse;
  readonly right: GenerationResponse;
}

function Results({ left, right }: ResultsProps) {
  const [at, setAt] = useState(0);
  const [view, setView] = useState('slider');
  const count = Math.max(left.outputs.length, right.outputs.length);
  const pictures = [pictureOf(left, at), pictureOf(right, at)] as const;
  const [first, second] = pictures;
  return (
    <>
      <div className={classes.tools}>
        {first && second && (
          <SegmentedControl
            aria-label={said.view}
            value={view}
            onChange={setView}
            data={[
              { value: 'slider', label: said.slider },
              { value: 'beside', label: said.beside },
            ]}
          />
        )}
        {count > 1 && (
          <SegmentedControl
            aria-label={said.output}
            value={String(at)}
            onChange={(value) => setAt(Number(value))}
            data={Array.from({ length: count }, (_, index) => ({ value: String(index), label: String(index + 1) }))}
          />
        )}
      </div>
      {first && second && view === 'slider' ? (
        <CompareSlider left={first} right={second} names={[said.number(left.id), said.number(right.id)]} />
      ) : (
        <div className={classes.beside}>
          <Side generation={left} output={left.outputs[at]} />
          <Side generation={right} output={right.outputs[at]} />
        </div>
      )}
    </>
  );
}

function pictureOf({ outputs }: GenerationResponse, at: number): OutputDto | null {
  const output = outputs[at];
  return output && mediaKind(output.content_type) === 'picture' ? output : null;
}

interface SideProps {
  readonly generation: GenerationResponse;
  readonly output: OutputDto | undefined;
}

function Side({ generation, output }: SideProps) {
  const name = generation.prompt || said.number(generation.id);
  return (
    <figure className={classes.side}>
      {output && <MediaStage media={{ ...output, id: output.url, name }} />}
      {!output && generation.state === 'failed' && <FailureNotice generation={generation} />}
      {!output && generation.state !== 'failed' && <Text c="dimmed">{said.noOutput}</Text>}
      <figcaption className={classes.caption}>{said.number(generation.id)}</figcaption>
    </figure>
  );
}

interface SettingsProps {
  readonly pair: readonly [number, number];
  readonly rows: readonly Setting[];
}

function Settings({ pair, rows }: SettingsProps) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table layout="fixed" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="24%">{said.setting}</Table.Th>
            {pair.map((id) => (
              <Table.Th key={id}>{said.number(id)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, values, isSame }) => (
            <Table.Tr key={name} className={isSame ? classes.same : classes.differs}>
              <Table.Th scope="row">{name}</Table.Th>
              {values.map((value, at) => (
                <Table.Td key={pair[at]} dir="auto">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
