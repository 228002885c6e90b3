import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUserRound, Keyboard, LogOut, ServerCog } from 'lucide-react';
import { places } from '../places.ts';
import { ActionMenuItem, initialOf, notifyError } from '../ui/index.ts';
import { keysDialog } from './keys.ts';
import { Release } from './Release.tsx';
import { signOut, useMe } from './session.ts';
import classes from './Navigation.module.css';
import { words } from './words.ts';

/** The signed-in user, their workspace, and the actions of their account. */
export function AccountMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const { user, workspace, role } = useMe();
  const navigate = useNavigate();
  const name = user.name ?? user.email;
  return (
    <Menu position={isSmall ? 'bottom-end' : 'top-start'} width={isSmall ? 220 : 'target'}>
      <Menu.Target>
        <UnstyledButton className={isSmall ? classes.avatarButton : classes.account}>
          <VisuallyHidden>{words.account(name)}</VisuallyHidden>
          <Avatar src={user.avatar} alt="" color="sea" size={32} radius="xl" aria-hidden>
            {initialOf(name)}
          </Avatar>
          {!isSmall && (
            <>
              <span className={classes.who} aria-hidden>
                <span dir="auto">{name}</span>
                <span>{words.standing(workspace.is_team ? words.roles[role] : null, workspace.plan)}</span>
              </span>
              <ChevronsUpDown size={15} aria-hidden />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <ActionMenuItem
          icon={CircleUserRound}
          label={places.account}
          onClick={() => void navigate({ to: '/account' })}
        />
        <ActionMenuItem icon={Keyboard} label={words.keys} onClick={() => keysDialog.set(true)} />
        <ActionMenuItem icon={ServerCog} label={places.operator} onClick={() => void navigate({ to: '/operator' })} />
        <Menu.Divider />
        <ActionMenuItem icon={LogOut} label={words.signOut} onClick={() => void signOut().catch(notifyError)} />
        <Menu.Divider />
        <Release />
      </Menu.Dropdown>
    </Menu>
  );
}
