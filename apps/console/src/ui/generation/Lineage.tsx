import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Clock } from 'lucide-react';
import { Note } from '../Hint.tsx';
import {
  type GenerationResponse,
  generationsLineageGetOptions,
  isOpen,
  type LineageResponse,
  type RelativeDto,
} from '../../api/index.ts';
import { Credits } from '../Credits.tsx';
import { MediaThumb } from '../MediaThumb.tsx';
import { words } from '../words.ts';
import { useModelTitles } from './model-titles.ts';
import classes from './Lineage.module.css';

/** How often a lineage is read while something of it is under way. */
const POLL_MS = 5000;

const text = words.lineage;

/** Where a generation came from, and what came of it, with what each cost. Renders nothing for one that stands alone. */
export function Lineage({ generation }: { readonly generation: GenerationResponse }) {
  const { data } = useQuery({
    ...generationsLineageGetOptions({ path: { id: generation.id } }),
    refetchInterval: ({ state }) => state.data !== undefined && state.data.descendants.some(isOpen) && POLL_MS,
  });
  const titleOf = useModelTitles();
  if (!data || data.ancestors.length + data.descendants.length === 0) return null;
  const { ancestors, descendants, is_complete } = data;
  return (
    <div style={{ minWidth: 0 }} role="group" aria-label={text.label}>
      <Group justify="space-between" align="baseline" wrap="nowrap" gap={12} mb={6}>
        <Text component="h3" size="sm" fw={600}>
          {text.label}
        </Text>
        <Note>
          {text.inAll} <Credits amount={costOf(data, generation)} />
        </Note>
      </Group>
      <ol className={classes.strip}>
        {ancestors.map((each) => (
          <li key={each.id} className={classes.step}>
            <Relative relative={each} name={text.from(titleOf(each.model), each.id)} />
            <ChevronRight size={16} className={classes.arrow} aria-hidden />
          </li>
        ))}
        <li className={classes.step} aria-current="true">
          <span className={classes.tile} data-current>
            <Thumb of={generation} />
          </span>
          <span className={classes.cost}>{text.here}</span>
        </li>
        {descendants.map((each, at) => (
          <li key={each.id} className={classes.step}>
            {at === 0 && <ChevronRight size={16} className={classes.arrow} aria-hidden />}
            <Relative relative={each} name={text.became(titleOf(each.model), each.id)} />
          </li>
        ))}
      </ol>
      {!is_complete && <Note mt={4}>{text.incomplete}</Note>}
    </div>
  );
}

/** Cost of the generation and all of its lineage. */
function costOf({ ancestors, descendants }: LineageResponse, { state, cost }: GenerationResponse): number {
  const own = state === 'failed' || state === 'canceled' ? 0 : cost;
  return [...ancestors, ...descendants].reduce((sum, each) => sum + each.cost, own);
}

function Relative({ relative, name }: { readonly relative: RelativeDto; readonly name: string }) {
  const { id, prompt, cost } = relative;
  return (
    <Link to="/generate" search={{ generation: id } as never} className={classes.link} title={prompt ?? undefined}>
      <VisuallyHidden>
        {name}
        {prompt && `: ${prompt}`},{' '}
      </VisuallyHidden>
      <span className={classes.tile}>
        <Thumb of={relative} />
      </span>
      <span className={classes.cost}>
        <Credits amount={cost} />
      </span>
    </Link>
  );
}

function Thumb({ of: { outputs, state } }: { readonly of: Pick<RelativeDto, 'outputs' | 'state'> }) {
  const [output] = outputs;
  if (output) return <MediaThumb media={output} alt="" width={64} />;
  return (
    <span className={classes.waiting}>
      {isOpen({ state }) && <VisuallyHidden>{words.generation.states[state]} </VisuallyHidden>}
      <Clock size={18} aria-hidden />
    </span>
  );
}
