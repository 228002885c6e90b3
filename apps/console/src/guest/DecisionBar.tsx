/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Decision } from '../screens/boards/review/decisions.ts';
import type { Media } from './api.ts';
import { errorText } from './errors.ts';
import { Icon } from './icons.tsx';
import { memory } from './memory.ts';
import { Sentence } from './Sentence.tsx';
import type { Review } from './use-review.ts';
import { words } from './words.ts';

/** The last decision in this window. */
interface Made {
  readonly id: number;
  readonly decision: 'approved' | 'changes_requested' | null;
  readonly error: unknown;
  readonly hasWords: boolean;
}

const NOTHING_MADE: Made = { id: 0, decision: null, error: null, hasWords: false };

/**
 * Decides about the open item. Words are optional, and asked for afterwards. An item that is approved, or has the words about its
 * changes, leads to the next one, unless the guest has switched that off.
 */
export function useDecision(item: Media, review: Review, onNextUndecided: (() => void) | null) {
  const [last, setLast] = useState<Made>({ ...NOTHING_MADE, id: item.id });
  const [advances, setAdvances] = useState(memory.read('advances') !== 'off');
  const advance = () => advances && onNextUndecided?.();
  const { decision: asked, error, hasWords } = last.id === item.id ? last : NOTHING_MADE;
  const decide = async (decision: Decision) => {
    const made = { ...NOTHING_MADE, id: item.id };
    setLast(made);
    try {
      if (!(await review.decide(decision)) || decision === 'none') return;
      setLast({ ...made, decision });
      if (decision === 'approved') advance();
    } catch (failure) {
      setLast({ ...made, error: failure });
    }
  };
  const addWords = async (sentence: string): Promise<boolean> => {
    const isSent = asked !== null && (await review.decide(asked, sentence));
    if (isSent) {
      setLast({ ...last, hasWords: true });
      advance();
    }
    return isSent;
  };
  const toggle = (isOn: boolean) => {
    memory.write('advances', isOn ? 'on' : 'off');
    setAdvances(isOn);
  };
  return { asked, error, hasWords, decide, addWords, advances, toggle };
}

interface DecisionBarProps {
  readonly item: Media;
  readonly made: ReturnType<typeof useDecision>;
  /** Null if there is none. */
  readonly onNextUndecided: (() => void) | null;
}

/** Decides by one tap. */
export function DecisionBar({ item, made, onNextUndecided }: DecisionBarProps) {
  const { asked, error, hasWords, decide, addWords, advances, toggle } = made;
  const choice = (decision: 'approved' | 'changes_requested', label: string) => {
    const isChosen = item.decision === decision;
    return (
      <button
        type="button"
        class={`choice ${decision}`}
        aria-pressed={isChosen}
        onClick={() => void decide(isChosen ? 'none' : decision)}
      >
        <Icon name={decision === 'approved' ? 'check' : 'pencil'} /> {label}
      </button>
    );
  };
  return (
    <section aria-label={words.decision} class="decision">
      <div class="choices">
        {choice('approved', words.approve)}
        {choice('changes_requested', words.askForChanges)}
      </div>
      <p class="hidden" role="status">
        {asked && words.decisions[asked]}
      </p>
      {error !== null && (
        <p class="problem" role="alert">
          {errorText(error)}
        </p>
      )}
      {asked && item.decision === asked && !hasWords && (
        <Sentence
          key={item.id}
          name={`words ${item.id}`}
          label={words.addWords[asked]}
          action={words.send}
          rows={1}
          maxLength={1_000}
          onSend={addWords}
        />
      )}
      {hasWords && <p role="status">{words.sent}</p>}
      <label class="tick dimmed">
        <input type="checkbox" checked={advances} onChange={(event) => toggle(event.currentTarget.checked)} />
        {words.advances}
      </label>
      {onNextUndecided && (
        <button type="button" class={item.decision === 'none' ? undefined : 'main'} onClick={onNextUndecided}>
          {words.nextUndecided} <Icon name="right" size={16} />
        </button>
      )}
    </section>
  );
}
