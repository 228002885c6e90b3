import { Code, Group, Text, UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { ActionButton, fullTime, When } from '../../ui/index.ts';
import type { AuditEntryDto, AuditState } from './audit-query.ts';
import classes from './Audit.module.css';
import { actorOf, deedOf, detailsOf, targetOf } from './sentence.ts';
import { words } from './words.ts';

interface AuditRowProps {
  readonly entry: AuditEntryDto;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onFilter: (part: Partial<AuditState>) => void;
}

/** An entry as a sentence with its time and origin, and with its details when it is open. */
export function AuditRow({ entry, isOpen, onToggle, onFilter }: AuditRowProps) {
  const { id, at, via, via_name: viaName, address } = entry;
  const origin = [viaName ?? (via && words.vias[via]), address].filter(Boolean).join(' · ');
  return (
    <>
      <UnstyledButton
        className={classes.summary}
        aria-expanded={isOpen}
        aria-controls={`entry-${id}`}
        onClick={onToggle}
      >
        <ChevronRight size={17} className={classes.arrow} aria-hidden />
        <span className={classes.sentence}>
          <Text component="bdi" inherit fw={600}>
            {actorOf(entry)}
          </Text>{' '}
          {deedOf(entry)}
        </span>
        <span className={classes.origin}>{origin}</span>
        <span className={classes.time}>
          <When at={at} />
        </span>
      </UnstyledButton>
      <div id={`entry-${id}`} hidden={!isOpen}>
        {isOpen && <Details entry={entry} onFilter={onFilter} />}
      </div>
    </>
  );
}

function Details({ entry, onFilter }: Pick<AuditRowProps, 'entry' | 'onFilter'>) {
  const { actor, action, target } = entry;
  const filters = [
    [words.onlyActor, { actor: typeof actor === 'string' ? actor : String(actor.user_id) }],
    [words.onlyAction, { action }],
    [words.onlyTarget, { target: `${target.type}:${target.id}` }],
  ] as const;
  return (
    <div className={classes.details}>
      <dl className={classes.facts}>
        {factsOf(entry).map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>{words.facts.code}</dt>
          <dd>
            <Code>{action}</Code>
          </dd>
        </div>
      </dl>
      <Group gap="xs">
        {filters.map(([label, part]) => (
          <ActionButton key={label} label={label} size="xs" variant="default" onClick={() => onFilter(part)} />
        ))}
      </Group>
    </div>
  );
}

function factsOf(entry: AuditEntryDto): readonly (readonly [string, string])[] {
  const { at, actor, via, via_name: viaName, address, target, request_id: request } = entry;
  const { facts, unnamed, targets } = words;
  const numbered = (type: keyof typeof targets, id: number, name: string) => {
    const number = unnamed(targets[type], id);
    return name === number ? number : `${name} (${number})`;
  };
  return [
    [facts.time, fullTime(new Date(at))],
    [facts.actor, typeof actor === 'string' ? actorOf(entry) : numbered('user', actor.user_id, actorOf(entry))],
    [facts.via, viaName ?? (via ? words.vias[via] : words.none)],
    [facts.address, address ?? words.none],
    [facts.target, numbered(target.type, target.id, targetOf(entry))],
    ...detailsOf(entry, fullTime),
    [facts.request, request ?? words.none],
  ];
}
