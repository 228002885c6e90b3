import { ActionIcon, Group, Modal, Text, Tooltip } from '@mantine/core';
import { CircleCheck, PencilLine } from 'lucide-react';
import type { MediaDto } from '../../../api/index.ts';
import { isSameFile } from '../../../file-url.ts';
import { namesWith, useNames } from '../../../shell/index.ts';
import { fileName } from '../../../text.ts';
import { type Compared, Comparison, useSettings } from '../../../ui/index.ts';
import type { Decision } from './decisions.ts';
import classes from './Review.module.css';
import { useDecide } from './use-review.ts';
import type { Version, Versions } from './versions.ts';
import { words } from './words.ts';

const CHOICES = [
  { decision: 'approved', icon: CircleCheck, name: words.approve, keys: 'A' },
  { decision: 'changes_requested', icon: PencilLine, name: words.askForChanges, keys: 'R' },
] as const;

interface VersionsDialogProps {
  readonly boardId: number;
  /** Null while the dialog is closed. */
  readonly versions: Versions | null;
  /** All items of the board. */
  readonly all: readonly MediaDto[];
  /** The item whose versions these are. */
  readonly openId: number | null;
  readonly onClose: () => void;
}

/** Compares the versions of an item over the whole page, and decides about those that are on the board. */
export function VersionsDialog({ versions, onClose, ...rest }: VersionsDialogProps) {
  return (
    <Modal opened={versions !== null} onClose={onClose} title={words.versions} fullScreen>
      {versions && <Beside versions={versions} {...rest} />}
    </Modal>
  );
}

interface BesideProps extends Pick<VersionsDialogProps, 'boardId' | 'all' | 'openId'> {
  readonly versions: Versions;
}

function Beside({ boardId, versions: { shown, others }, all, openId }: BesideProps) {
  const settings = useSettings(
    shown.map(({ generation }) => generation.id),
    namesWith(useNames()),
  );
  const decide = useDecide(boardId);
  const items = shown.map((version) => ({ ...comparedOf(version), onBoard: itemOf(version, all, openId) }));
  const onBoard = ({ id }: Compared) => items.find((each) => each.id === id)?.onBoard;
  const decideBy = (decision: Decision) => (compared: Compared) => {
    const item = onBoard(compared);
    if (item) decide(item.id, decision);
  };
  return (
    <>
      {others > 0 && (
        <Text c="dimmed" role="status" mb="sm">
          {words.otherVersions(others)}
        </Text>
      )}
      <Comparison
        items={items}
        firstId={items[shown.findIndex(({ isOpen }) => isOpen)]!.id}
        settings={settings}
        actions={{ a: decideBy('approved'), r: decideBy('changes_requested') }}
        tools={(compared) => (
          <DecisionButtons item={onBoard(compared)} label={compared.label} onDecide={(to) => decideBy(to)(compared)} />
        )}
      />
    </>
  );
}

function comparedOf({ generation, output, number, isOpen }: Version): Compared {
  const name = generation.prompt?.trim() || fileName(output.url);
  return { ...output, id: `${generation.id}-${output.index}`, name, label: words.version(number, isOpen) };
}

/** The item of the board that shows a version: the open one, else the first with its file. */
function itemOf({ output, isOpen }: Version, all: readonly MediaDto[], openId: number | null): MediaDto | undefined {
  return all.find(({ id, url }) => (isOpen ? id === openId : url !== null && isSameFile(url, output.url)));
}

interface DecisionButtonsProps {
  /** Undefined for a version that is not on the board. */
  readonly item: MediaDto | undefined;
  readonly label: string;
  readonly onDecide: (decision: Decision) => void;
}

function DecisionButtons({ item, label, onDecide }: DecisionButtonsProps) {
  if (!item) {
    return (
      <Text size="xs" c="dimmed" truncate>
        {words.notOnBoard}
      </Text>
    );
  }
  return (
    <Group gap={6} wrap="nowrap" className={classes.deciding}>
      <Text size="xs" truncate visibleFrom="sm">
        {words.decisions[item.decision]}
      </Text>
      {CHOICES.map(({ decision, icon: Icon, name, keys }) => {
        const isOn = item.decision === decision;
        return (
          <Tooltip key={decision} label={`${name} (${keys})`}>
            <ActionIcon
              size={26}
              variant={isOn ? 'filled' : 'default'}
              color={isOn ? 'sea' : 'gray'}
              aria-label={`${name}: ${label}`}
              aria-pressed={isOn}
              onClick={() => onDecide(isOn ? 'none' : decision)}
            >
              <Icon size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </Group>
  );
}
