import { Text } from '@mantine/core';
import { type TeamInfoResponse, x12 } from '../../api/index.ts';
import { ConfirmDialog, notifyDone } from '../../ui/index.ts';
import { useWorkspaceChange } from './team-queries.ts';
import { words } from './words.ts';

interface LeaveDialogProps {
  readonly info: TeamInfoResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function LeaveDialog({ info, opened, onClose }: LeaveDialogProps) {
  const changeWorkspace = useWorkspaceChange();
  const leave = async () => {
    await x12.team.members.remove({ user_id: info.user_id });
    notifyDone(words.left);
    await changeWorkspace();
  };
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title={words.leaveTitle} action={words.leave} onConfirm={leave}>
      {words.leaveWhat(info.owner).map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
    </ConfirmDialog>
  );
}
