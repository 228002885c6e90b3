import { Alert, Badge, Button, Text, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  authIdentitiesListOptions,
  authMethodsGetOptions,
  type IdentityDto,
  type LinkIdentityRequest,
  refresh,
  x12,
} from '../../api/index.ts';
import { useIssuer, useMe, useSsoRefusal } from '../../shell/index.ts';
import { ErrorNotice, FieldForm, Hint, useRecordDialogs, When } from '../../ui/index.ts';
import { ProofOfPassword } from './ProofOfPassword.tsx';
import { Setting } from './Setting.tsx';
import classes from './SignInMethods.module.css';
import { words } from './words.ts';

const text = words.methods;

/** The ways in to the account, where there are others than the password: identities are linked and unlinked here. */
export function SignInMethodsSection() {
  const { user } = useMe();
  const { data: methods } = useQuery({ ...authMethodsGetOptions(), staleTime: Infinity });
  const { data, error, refetch } = useQuery(authIdentitiesListOptions());
  const { unlink, dialogs } = useUnlinking();
  const refusal = useSsoRefusal();
  const identities = data?.identities ?? [];
  if (!methods?.oidc && identities.length === 0) return null;
  return (
    <Setting title={text.title} hint={text.hint}>
      {refusal !== null && (
        <Alert role="alert" color="red" title={text.refused}>
          {refusal}
        </Alert>
      )}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul className={classes.methods}>
        <li>
          <Text fw={560}>{text.password}</Text>
          <Badge color={user.has_password && methods?.password ? 'sea' : 'gray'}>{passwordState(user, methods)}</Badge>
        </li>
        {identities.map((identity) => (
          <li key={identity.id}>
            <div>
              <Text fw={560}>{hostOf(identity)}</Text>
              <Hint>
                {identity.email !== null && `${identity.email} · `}
                {text.linked} <When at={identity.created_at} />
              </Hint>
            </div>
            <Button size="xs" variant="default" onClick={() => unlink(identity)}>
              {text.unlink}
              <VisuallyHidden>, {hostOf(identity)}</VisuallyHidden>
            </Button>
          </li>
        ))}
      </ul>
      {methods?.oidc && <Linking name={methods.oidc.name} />}
      {dialogs}
    </Setting>
  );
}

function passwordState(user: { readonly has_password: boolean }, methods?: { readonly password: boolean }): string {
  if (!user.has_password) return text.passwordUnset;
  return methods?.password === false ? text.passwordOff : text.passwordSet;
}

function hostOf({ issuer }: IdentityDto): string {
  return new URL(issuer).host;
}

/** Leads to the issuer and back to this page. */
function Linking({ name }: { readonly name: string }) {
  const { user } = useMe();
  const issuer = useIssuer((request: LinkIdentityRequest) => x12.auth.identities.create(request));
  const send = ({ password }: { readonly password: string }) =>
    issuer.mutateAsync({ ...(user.has_password && { password }), return_to: '/console/account' });
  return (
    <FieldForm labels={{ password: words.presentPassword }} send={send} submit={text.link(name)} size="sm">
      {(field) => <ProofOfPassword field={field} />}
    </FieldForm>
  );
}

/** Asks before an identity is unlinked. The dialog shows why the last way in is not. */
function useUnlinking() {
  const queries = useQueryClient();
  const { ask, dialogs } = useRecordDialogs();
  const unlink = (identity: IdentityDto) => {
    const subject = [hostOf(identity), identity.email].filter(Boolean).join(' · ');
    ask({ ...text.unlinking, subject }, async () => {
      await x12.auth.identities.delete({ id: identity.id });
      await refresh(queries, 'identities');
    });
  };
  return { unlink, dialogs };
}
