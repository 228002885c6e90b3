import { Anchor, Badge, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Activity, ChevronRight } from 'lucide-react';
import { type EventDto, eventsListQueryKey, fieldProblem, useLiveEvents, x12 } from '../../api/index.ts';
import {
  CodeSample,
  FilterBar,
  FilterText,
  Hint,
  MoreOfList,
  NothingFound,
  QueryState,
  Section,
  VirtualList,
  When,
} from '../../ui/index.ts';
import { eventWords } from './event-words.ts';
import { type EventPages, lastNumber, subjectLink, subjectText, typesIn, withEvent } from './events.ts';
import classes from './Tokens.module.css';
import { TypesField } from './TypesField.tsx';
import { words } from './words.ts';

const texts = words.events;

interface EventsState {
  /** Separated by commas; empty for all. */
  readonly types: string;
  /** Such as `generation:12`; empty for all. */
  readonly subject: string;
  /** The number of the open event; 0 for none. */
  readonly event: number;
}

interface EventsProps extends EventsState {
  readonly onChange: (part: Partial<EventsState>) => void;
}

/** Events of the last 30 days, newest first, with new ones as they happen. */
export function Events({ types, subject, event: open, onChange }: EventsProps) {
  const chosen = typesIn(types);
  const list = useEvents(chosen.join(), subject);
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const problem = fieldProblem(list.error, 'subject', texts.subject);
  const isFiltered = chosen.length > 0 || subject !== '';
  const clear = () => onChange({ types: '', subject: '', event: 0 });
  return (
    <Section>
      <Stack gap="md">
        <Hint>{texts.hint}</Hint>
        {(isFiltered || events.length > 0) && (
          <Filters
            types={chosen}
            subject={subject}
            problem={problem}
            onChange={onChange}
            onClear={isFiltered ? clear : null}
          />
        )}
        {!problem && <QueryState query={list} rows={6} height={48} />}
        {list.isSuccess && events.length === 0 && (
          <NothingFound icon={Activity} texts={texts} isFiltered={isFiltered} onClear={clear} />
        )}
        {events.length > 0 && (
          <VirtualList
            items={events}
            label={words.tabs.events}
            keyOf={({ number }) => number}
            rowHeight={50}
            line="below"
          >
            {(event) => (
              <EventRow
                event={event}
                isOpen={event.number === open}
                onToggle={() => onChange({ event: event.number === open ? 0 : event.number })}
              />
            )}
          </VirtualList>
        )}
        {list.data && <MoreOfList query={list} />}
      </Stack>
    </Section>
  );
}

interface FiltersProps extends Pick<EventsProps, 'subject' | 'onChange'> {
  readonly types: readonly string[];
  /** The service's refusal of the subject. */
  readonly problem: string | undefined;
  readonly onClear: (() => void) | null;
}

function Filters({ types, subject, problem, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar
      first={
        <TypesField
          all={texts.allTypes}
          label={texts.types}
          value={[...types]}
          onChange={(next) => onChange({ types: next.join(), event: 0 })}
        />
      }
      count={Number(subject !== '')}
      isWrong={problem !== undefined}
      onClear={onClear}
    >
      <FilterText
        label={texts.subject}
        hint={texts.subjectHint}
        value={subject}
        problem={problem}
        onChange={(next) => onChange({ subject: next, event: 0 })}
      />
    </FilterBar>
  );
}

interface EventRowProps {
  readonly event: EventDto;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** An event with its subject, customer and time, and with its data when it is open. */
function EventRow({ event, isOpen, onToggle }: EventRowProps) {
  const { id, number, type, customer, data, created_at: at } = event;
  const { label, color = 'gray' } = eventWords[type];
  const subject = subjectText(event.subject);
  const link = subjectLink(event);
  return (
    <>
      <div className={`${classes.summary} ${classes.event}`}>
        <UnstyledButton
          className={classes.open}
          aria-expanded={isOpen}
          aria-controls={`event-${number}`}
          aria-label={`${label}, ${subject}`}
          onClick={onToggle}
        >
          <ChevronRight size={17} className={classes.arrow} aria-hidden />
          <Badge color={color}>{label}</Badge>
        </UnstyledButton>
        <Text inherit className={classes.name}>
          {link ? (
            <Anchor component={Link} {...link} inherit>
              {subject}
            </Anchor>
          ) : (
            subject
          )}
        </Text>
        <Text component="bdi" inherit c="dimmed" className={classes.name}>
          {customer !== null && texts.customer(customer)}
        </Text>
        <When at={at} c="dimmed" />
      </div>
      <div id={`event-${number}`} hidden={!isOpen}>
        {isOpen && (
          <div className={classes.data}>
            <Hint mb="xs" className={classes.name}>
              {texts.facts(type, number, id)}
            </Hint>
            <CodeSample label={texts.data(number)} code={JSON.stringify(data, null, 2)} />
          </div>
        )}
      </div>
    </>
  );
}

const PAGE = 50;

/**
 * The events that match, newest first. New ones are put on top while the page is visible.
 *
 * @param types separated by commas; empty for all
 */
function useEvents(types: string, subject: string) {
  const queries = useQueryClient();
  const query = { types: types || undefined, subject: subject || undefined, order: 'newest', limit: PAGE } as const;
  const queryKey = [...eventsListQueryKey({ query }), 'pages'];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: before, signal }) => x12.events.list({ ...query, before }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ events }) => (events.length < PAGE ? undefined : events.at(-1)?.number),
  });
  const followed = {
    ...{ types, subject, isOn: list.isSuccess && !list.isRefetching },
    last: () => lastNumber(queries.getQueryData<EventPages>(queryKey)),
  };
  useLiveEvents(followed, (event) =>
    queries.setQueryData<EventPages>(queryKey, (data) => data && withEvent(data, event)),
  );
  return list;
}
