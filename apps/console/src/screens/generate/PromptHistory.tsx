import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { generationsListOptions } from '../../api/index.ts';
import { PromptInput } from '../../model-form/index.ts';
import { useMe } from '../../shell/index.ts';
import { stepBack, type Step, uniquePrompts } from './prompt-steps.ts';
import { words } from './words.ts';

/** Generations whose prompts are offered. */
const READ = 100;
/** Prompts of the list. */
const LISTED = 12;

/** The prompts that the user has used, newest first, and how arrow keys step through them from the start of the field. */
function usePromptHistory(prompt: string, onChange: (prompt: string) => void) {
  const { user } = useMe();
  const [isAsked, setAsked] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const { data } = useQuery({
    ...generationsListOptions({ query: { user_id: user.id, limit: READ } }),
    enabled: isAsked,
  });
  const prompts = uniquePrompts(data?.generations ?? []);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, currentTarget: field } = event;
    const isAtStart = field.selectionStart === 0 && field.selectionEnd === 0;
    if (!isAtStart || (key !== 'ArrowUp' && key !== 'ArrowDown')) return;
    const next = stepBack(prompts, step, prompt, key === 'ArrowUp' ? 1 : -1);
    if (!next) return;
    event.preventDefault();
    setStep(next);
    onChange(next.shown);
    // React puts the caret behind a new value.
    requestAnimationFrame(() => field.setSelectionRange(0, 0));
  };
  return { prompts, ask: () => setAsked(true), onKeyDown };
}

interface PromptFieldProps extends Omit<ComponentProps<typeof PromptInput>, 'rightSection' | 'onKeyDown'> {
  /** True if the list of earlier prompts is offered beside the text. */
  readonly hasList: boolean;
}

/** The prompt, and those that were used before. */
export function PromptField({ hasList, value, onChange, ...props }: PromptFieldProps) {
  const history = usePromptHistory(value, onChange);
  return (
    <PromptInput
      {...props}
      value={value}
      rightSection={hasList && <PromptList history={history} onChoose={onChange} />}
      onChange={onChange}
      onFocus={history.ask}
      onKeyDown={history.onKeyDown}
    />
  );
}

interface PromptListProps {
  readonly history: ReturnType<typeof usePromptHistory>;
  readonly onChoose: (prompt: string) => void;
}

/** The latest prompts; a press puts one into the composer. */
function PromptList({ history: { prompts, ask }, onChoose }: PromptListProps) {
  return (
    <Menu position="top-end" width={420} onOpen={ask}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={words.history.open} title={words.history.hint}>
          <History size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="50dvh" style={{ overflowY: 'auto' }}>
        {prompts.length === 0 && <Menu.Label>{words.history.empty}</Menu.Label>}
        {prompts.slice(0, LISTED).map((prompt) => (
          <Menu.Item key={prompt} onClick={() => onChoose(prompt)}>
            <Text size="sm" lineClamp={2} dir="auto">
              {prompt}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
