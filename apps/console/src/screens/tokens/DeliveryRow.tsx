import { Badge, Button, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronRight, CircleCheck, CircleX, Send } from 'lucide-react';
import type { DeliveryDto } from '../../api/index.ts';
import { Note, notifyDone, notifyError, number, When } from '../../ui/index.ts';
import { causeOf, outcomeOf } from './deliveries.ts';
import { useRedelivery } from './delivery-queries.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

const COLORS = { pending: 'yellow', delivered: 'sea', failed: 'red' } as const;

interface DeliveryRowProps {
  readonly delivery: DeliveryDto;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A call with its address and outcome, and with its attempts when it is open. */
export function DeliveryRow({ delivery, isOpen, onToggle }: DeliveryRowProps) {
  const { id, url, state } = delivery;
  const cause = causeOf(delivery);
  const redeliver = useRedelivery();
  const sendAgain = () =>
    void redeliver(delivery).then(
      () => notifyDone(words.sentAgain(cause)),
      (error: unknown) => notifyError(error),
    );
  return (
    <>
      <div className={classes.summary}>
        <UnstyledButton
          className={classes.open}
          aria-expanded={isOpen}
          aria-controls={`attempts-${id}`}
          onClick={onToggle}
        >
          <ChevronRight size={17} className={classes.arrow} aria-hidden />
          <Badge color={COLORS[state]}>{words.states[state]}</Badge>
          <span className={classes.what}>
            <Text span inherit fw={600}>
              {cause}
            </Text>
            <bdi className={classes.url} title={url}>
              {url}
            </bdi>
          </span>
        </UnstyledButton>
        <div className={classes.outcome}>
          <Outcome {...delivery} />
        </div>
        <Button size="xs" variant="default" leftSection={<Send size={14} aria-hidden />} onClick={sendAgain}>
          {words.sendAgain}
          <VisuallyHidden>, {cause}</VisuallyHidden>
        </Button>
      </div>
      <div id={`attempts-${id}`} hidden={!isOpen}>
        {isOpen && <Attempts {...delivery} />}
      </div>
    </>
  );
}

function Outcome({ attempts, next_attempt_at: next }: DeliveryDto) {
  const last = attempts.at(-1);
  return (
    <>
      <Text inherit>{last ? outcomeOf(last) : words.noAttempt}</Text>
      <Note>
        {words.attempts(attempts.length)}
        {' · '}
        {next !== null && `${words.due} `}
        <When at={next ?? last?.at ?? null} />
      </Note>
    </>
  );
}

function Attempts({ attempts, ...delivery }: DeliveryDto) {
  return (
    <ol className={classes.attempts} aria-label={words.details(causeOf(delivery))}>
      {attempts.length === 0 && <li>{words.noAttempt}</li>}
      {attempts.toReversed().map((attempt) => {
        const Icon = attempt.error === null ? CircleCheck : CircleX;
        return (
          <li key={attempt.at}>
            <Icon
              size={16}
              color={attempt.error === null ? 'var(--mantine-primary-color-filled)' : 'var(--mantine-color-error)'}
              aria-hidden
            />
            <div>
              {outcomeOf(attempt)}{' '}
              <Text inherit span c="dimmed">
                <When at={attempt.at} /> · {words.took(number(attempt.duration_ms))}
              </Text>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
