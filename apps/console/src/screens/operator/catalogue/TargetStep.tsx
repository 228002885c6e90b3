import { Button, FileButton, Group, Loader, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ClipboardEvent, type SyntheticEvent, useState } from 'react';
import { fieldProblem } from '../../../api/index.ts';
import { ActionButton, ErrorNotice, Hint } from '../../../ui/index.ts';
import { objectIn } from './EntryJson.tsx';
import type { VendorType } from './vendors.ts';
import { words } from './words.ts';

interface TargetStepProps {
  readonly type: VendorType;
  readonly isReading: boolean;
  readonly error: unknown;
  readonly onRead: (source: { readonly target: string; readonly workflow?: Record<string, unknown> }) => void;
}

const text = words.model;
const NAME_BY_DEFAULT = 'workflow';

/** Names a model, whose description the service then reads. What is pasted is read at once. */
export function TargetStep({ type, isReading, error, onRead }: TargetStepProps) {
  const vendor = words.vendors[type];
  const takesWorkflow = type === 'comfyui';
  const [target, setTarget] = useState('');
  const [typed, setTyped] = useState('');
  const workflow = objectIn(typed);
  const read = (name: string, graph = workflow) => {
    const isComplete = !takesWorkflow || graph !== null;
    if (isComplete) onRead({ target: name.trim() || NAME_BY_DEFAULT, ...(graph && { workflow: graph }) });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    read(target);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim();
    if (takesWorkflow || target !== '' || pasted === '') return;
    event.preventDefault();
    setTarget(pasted);
    read(pasted);
  };
  const take = (graph: string, name = target) => {
    setTyped(graph);
    setTarget(name);
    const parsed = objectIn(graph);
    if (parsed && !isReading) read(name, parsed);
  };
  const problem = fieldProblem(error, 'target', vendor.target);
  const ofWorkflow = takesWorkflow ? (problem ?? fieldProblem(error, 'workflow', text.workflow)) : undefined;
  const noJson = typed.trim() !== '' && workflow === null && text.noJson;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Group align="flex-end" wrap="nowrap" gap="sm">
          <TextInput
            {...INPUT}
            flex={1}
            autoFocus
            label={vendor.target}
            placeholder={vendor.targetHint}
            autoComplete="off"
            required={!takesWorkflow}
            withAsterisk={false}
            error={!takesWorkflow && problem !== undefined}
            value={target}
            onPaste={paste}
            onChange={(event) => setTarget(event.target.value)}
          />
          <Button type="submit" variant="default" loading={isReading} disabled={takesWorkflow && workflow === null}>
            {text.read}
          </Button>
        </Group>
        {!takesWorkflow && problem && <Problem>{problem}</Problem>}
        {takesWorkflow && <WorkflowInput value={typed} target={target} error={ofWorkflow ?? noJson} onTake={take} />}
        {isReading && <Reading />}
        {error !== null && !problem && !ofWorkflow && <ErrorNotice error={error} onRetry={() => read(target)} />}
      </Stack>
    </form>
  );
}

const INPUT = { dir: 'ltr', spellCheck: false } as const;

interface WorkflowInputProps {
  readonly value: string;
  readonly target: string;
  readonly error: string | false;
  readonly onTake: (graph: string, target?: string) => void;
}

/** A workflow of ComfyUI, pasted or from a file. */
function WorkflowInput({ value, target, error, onTake }: WorkflowInputProps) {
  const read = async (file: File | null) => {
    if (file) onTake(await file.text(), target || file.name.replace(/\.json$/i, ''));
  };
  return (
    <div>
      <Textarea
        {...INPUT}
        autosize
        minRows={4}
        maxRows={10}
        label={text.workflow}
        description={text.workflowHint}
        error={error}
        value={value}
        onChange={(event) => onTake(event.target.value)}
      />
      <FileButton accept="application/json,.json" onChange={(file) => void read(file)}>
        {(props) => <ActionButton label={text.chooseFile} {...props} mt="xs" size="xs" variant="default" />}
      </FileButton>
    </div>
  );
}

function Problem({ children }: { readonly children: string }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={-8}>
      {children}
    </Text>
  );
}

function Reading() {
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      <Hint>{text.reading}</Hint>
    </Group>
  );
}
