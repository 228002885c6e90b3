import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { provenanceCheck } from '../../api/index.ts';
import { ErrorNotice, Hint, Note } from '../../ui/index.ts';
import { useFileTarget } from '../../uploads/index.ts';
import { Marks } from './Marks.tsx';
import classes from './Provenance.module.css';
import { words } from './words.ts';

const text = words.check;
/** The maximum of the service. */
const MAX_BYTES = 50 * 1024 * 1024;

interface CheckFileProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Finds the marks in any file of this device. */
export function CheckFile({ opened, onClose }: CheckFileProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={text.action}>
      {opened && <Check />}
    </Modal>
  );
}

/** The type is left to the service: it tells files by their bytes, and would read JSON as fields. */
async function marksOf(file: File) {
  if (file.size > MAX_BYTES) throw new Error(text.tooLarge(file.name));
  const headers = { 'Content-Type': 'application/octet-stream' };
  return provenanceCheck({ body: file as never, bodySerializer: null, headers });
}

function Check() {
  const { mutate, variables: file, data, error, isPending } = useMutation({ mutationFn: marksOf });
  return (
    <Stack>
      <Hint>{text.hint}</Hint>
      <FileChooser isBusy={isPending} onFile={mutate} />
      <div role="status" aria-busy={isPending || undefined}>
        {isPending && file && <Hint>{text.checking(file.name)}</Hint>}
        {data && file && (
          <>
            <Text component="h3" size="sm" fw={600} mb={6} dir="auto">
              {text.result(file.name)}
            </Text>
            <Marks marks={data.marks} />
            {data.marks.length === 0 && <Note mt={4}>{text.advice}</Note>}
          </>
        )}
      </div>
      {error && <ErrorNotice error={error} />}
    </Stack>
  );
}

interface FileChooserProps {
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}

/** Takes a file that is chosen or dropped. */
function FileChooser({ isBusy, onFile }: FileChooserProps) {
  const chooser: RefObject<HTMLInputElement | null> = useRef(null);
  const area = useRef<HTMLDivElement>(null);
  const take = ([file]: readonly File[]) => {
    if (file && !isBusy) onFile(file);
  };
  const isOver = useFileTarget(area, take);
  return (
    <div ref={area} className={classes.drop} data-drop data-over={isOver || undefined}>
      <Button variant="light" loading={isBusy} data-autofocus onClick={() => chooser.current?.click()}>
        {text.choose}
      </Button>
      <Hint>{text.drop}</Hint>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={text.choose}
        onChange={({ target }) => {
          take([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}
