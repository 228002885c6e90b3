import { Button, FileButton, Group, Loader, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ClipboardEvent, type SyntheticEvent, useState } from 'react';
import { fieldProblem } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/index.ts';
import { objectIn } from './EntryJson.tsx';
import type { VendorType } from './vendors.ts';
import { words } from './words.ts';

interface TargetStepProps {
  readonly type: VendorType;
  readonly isReading: boolean;
  readonly error: unknown;
  readonly onRead: (source: { readonly target: string; readonly workflow?: Record<string, unknown> }) => void;
}

const texts = words.model;

/** Names a model, whose description the service then reads. What is pasted is read at once. */
export function TargetStep({ type, isReading, error, onRead }: TargetStepProps) {
  const vendor = words.vendors[type];
  const [target, setTarget] = useState('');
  const [text, setText] = useState('');
  const takesWorkflow = type === 'comfyui';
  const workflow = objectIn(text);
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
    setText(graph);
    setTarget(name);
    const parsed = objectIn(graph);
    if (parsed && !isReading) read(name, parsed);
  };
  const problem = fieldProblem(error, 'target', vendor.target);
  const ofWorkflow = takesWorkflow ? (problem ?? fieldProblem(error, 'workflow', texts.workflow)) : undefined;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Group align="flex-end" wrap="nowrap" gap="sm">
          <TextInput
            flex={1}
            autoFocus
            label={vendor.target}
            placeholder={vendor.targetHint}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            required={!takesWorkflow}
            withAsterisk={false}
            error={!takesWorkflow && problem !== undefined}
            value={target}
            onPaste={paste}
            onChange={(event) => setTarget(event.target.value)}
          />
          <Button type="submit" variant="default" loading={isReading} disabled={takesWorkflow && workflow === null}>
            {texts.read}
          </Button>
        </Group>
        {!takesWorkflow && problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={-8}>
            {problem}
          </Text>
        )}
        {takesWorkflow && (
          <div>
            <Textarea
              autosize
              minRows={4}
              maxRows={10}
              label={texts.workflow}
              description={texts.workflowHint}
              dir="ltr"
              spellCheck={false}
              error={ofWorkflow ?? (text.trim() !== '' && workflow === null && texts.noJson)}
              value={text}
              onChange={(event) => take(event.target.value)}
            />
            <FileButton
              accept="application/json,.json"
              onChange={(file) =>
                void file?.text().then((content) => take(content, target || file.name.replace(/\.json$/i, '')))
              }
            >
              {(props) => (
                <Button {...props} mt="xs" size="xs" variant="default">
                  {texts.chooseFile}
                </Button>
              )}
            </FileButton>
          </div>
        )}
        {isReading && (
          <Group gap="xs" role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm" c="dimmed">
              {texts.reading}
            </Text>
          </Group>
        )}
        {error !== null && !problem && !ofWorkflow && <ErrorNotice error={error} onRetry={() => read(target)} />}
      </Stack>
    </form>
  );
}

const NAME_BY_DEFAULT = 'workflow';
