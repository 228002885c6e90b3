import { Group, Progress, Slider, Stack, Text, UnstyledButton } from '@mantine/core';
import { Brush, Download, Undo2, X } from 'lucide-react';
import { useRef } from 'react';
import { type GenerationResponse, isOpen } from '../../api/index.ts';
import { unsigned } from '../../file-url.ts';
import {
  ActionButton,
  saveFile,
  FailureNotice,
  MediaThumb,
  NoOutputs,
  notifyError,
  percent,
  uiWords,
  useCancel,
} from '../../ui/index.ts';
import classes from './Editor.module.css';
import { words } from './words.ts';

interface ResultPanelProps {
  readonly generation: GenerationResponse;
  /** Which output is shown. */
  readonly shown: number;
  /** How much of the result is hidden: 0 to 1. */
  readonly hidden: number;
  readonly onShow: (output: number) => void;
  readonly onHide: (share: number) => void;
  readonly onContinue: () => void;
  readonly onBack: () => void;
}

const text = words.result;

/** The progress of a generation; then before and after, and what to do next. */
export function ResultPanel(props: ResultPanelProps) {
  const { generation, onBack } = props;
  const { state, progress } = generation;
  const cancel = useCancel();
  if (isOpen(generation)) {
    return (
      <Stack component="section" gap={12} aria-label={text.label}>
        <Text size="sm" fw={560} aria-live="polite">
          {state === 'queued' ? text.waiting : text.running(percent(progress))}
        </Text>
        <Progress
          value={state === 'queued' ? 100 : progress * 100}
          animated={state === 'queued'}
          color={state === 'queued' ? 'gray' : undefined}
          aria-label={text.progress}
        />
        <ActionButton
          icon={X}
          iconSize={15}
          label={uiWords.cancel}
          variant="default"
          size="xs"
          onClick={() => void cancel(generation.id).then(onBack, notifyError)}
        />
      </Stack>
    );
  }
  const output = generation.outputs[props.shown];
  if (state !== 'succeeded' || !output) {
    return (
      <Stack component="section" gap={12} aria-label={text.label}>
        {state === 'failed' && <FailureNotice generation={generation} />}
        {state === 'canceled' && <Text size="sm">{text.canceled}</Text>}
        {state === 'succeeded' && <NoOutputs generation={generation} />}
        <Back onBack={onBack} />
      </Stack>
    );
  }
  return <Done {...props} url={output.url} />;
}

function Done(props: ResultPanelProps & { readonly url: string }) {
  const { generation, shown, hidden, url, onShow, onHide, onContinue, onBack } = props;
  const { outputs } = generation;
  return (
    <Stack component="section" gap={12} aria-label={text.label}>
      {outputs.length > 1 && (
        <Group wrap="nowrap" gap={8} align="stretch" role="group" aria-label={text.all}>
          {outputs.map((output, at) => (
            <UnstyledButton
              key={unsigned(output.url)}
              className={classes.output}
              aria-label={text.show(at + 1)}
              aria-pressed={at === shown}
              onClick={() => onShow(at)}
            >
              <MediaThumb media={output} alt="" width={64} />
            </UnstyledButton>
          ))}
        </Group>
      )}
      <div>
        <Text size="sm" fw={600} mb={8} aria-hidden>
          {text.divider}
        </Text>
        <Slider
          thumbLabel={text.divider}
          label={null}
          value={Math.round(hidden * 100)}
          thumbValueText={percent(hidden)}
          onChange={(share) => onHide(share / 100)}
        />
      </div>
      <HoldButton onHide={onHide} />
      <ActionButton icon={Brush} label={text.continue} onClick={onContinue} />
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Back onBack={onBack} />
        <ActionButton
          icon={Download}
          label={text.download}
          variant="default"
          onClick={() => void saveFile(url).catch(notifyError)}
        />
      </Group>
    </Stack>
  );
}

/** Shows the picture as it was while it is held, by pointer or key. */
function HoldButton({ onHide }: Pick<ResultPanelProps, 'onHide'>) {
  const isHeld = useRef(false);
  const press = () => {
    isHeld.current = true;
    onHide(1);
  };
  const release = () => {
    if (isHeld.current) onHide(0);
    isHeld.current = false;
  };
  const isKey = ({ key }: { readonly key: string }) => key === ' ' || key === 'Enter';
  return (
    <ActionButton
      label={text.hold}
      variant="default"
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={(event) => isKey(event) && press()}
      onKeyUp={(event) => isKey(event) && release()}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
    />
  );
}

function Back({ onBack }: Pick<ResultPanelProps, 'onBack'>) {
  return <ActionButton icon={Undo2} label={text.back} variant="default" onClick={onBack} />;
}
