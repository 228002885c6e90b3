import { Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type AuthorizationDto, x12 } from '../../api/index.ts';
import { scopeWords } from '../../scope-words.ts';
import { isSignedOut, meQuery } from '../../shell/index.ts';
import { ErrorNotice, Loading } from '../../ui/index.ts';
import { Entrance } from './Entrance.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';
import { words } from './words.ts';

const text = words.authorize;

type Asked = AuthorizationDto & { readonly state?: string };

/** Asks the user whether an application may act for them. The service checks what the address of the page says. */
export function AuthorizePage() {
  const { search } = window.location;
  const asked = Object.fromEntries(new URLSearchParams(search)) as unknown as Asked;
  const me = useQuery(meQuery);
  if (me.data) return <Consent asked={asked} email={me.data.user.email} />;
  if (me.isPending) return <Entrance title={text.title} children={<Loading rows={2} />} />;
  if (!isSignedOut(me.error)) {
    return (
      <Entrance title={text.title} children={<ErrorNotice error={me.error} onRetry={() => void me.refetch()} />} />
    );
  }
  const returnTo = `/console/authorize${search}`;
  return <SignInOrUp title={text.title} hint={text.signInFirst} returnTo={returnTo} onDone={() => me.refetch()} />;
}

function Consent({ asked, email }: { readonly asked: Asked; readonly email: string }) {
  const { state: _, ...request } = asked;
  const proposal = useQuery({
    queryKey: ['authorize', request],
    queryFn: () => x12.auth.grants.check(request),
    retry: false,
  });
  const decision = useMutation({
    mutationFn: (approve: boolean) => x12.auth.grants.create({ ...asked, approve }),
    onSuccess: ({ redirect_to: to }) => window.location.assign(to),
  });
  if (decision.isSuccess) return <Entrance title={text.done} hint={text.doneHint} children={null} />;
  if (proposal.error)
    return <Entrance title={text.wrong} hint={text.wrongHint} children={<ErrorNotice error={proposal.error} />} />;
  if (!proposal.data) return <Entrance title={text.title} children={<Loading rows={3} />} />;
  const { name, client_host: host, redirect_host: redirectHost, scopes } = proposal.data;
  return (
    <Entrance title={text.asks(name)} hint={text.asWhom(email)}>
      <Stack>
        <Text size="sm">
          {host === null ? text.unproved : text.proved} {host !== null && <Code>{host}</Code>}
        </Text>
        <Text size="sm">
          {text.leadsTo} <Code>{redirectHost}</Code>
        </Text>
        <List size="sm" spacing={4} aria-label={text.may}>
          {scopes.map((scope) => (
            <List.Item key={scope}>{scopeWords[scope].hint}</List.Item>
          ))}
        </List>
        <Text size="sm">{text.spends}</Text>
        {decision.error && <ErrorNotice error={decision.error} />}
        <Group grow>
          <Button size="md" loading={decision.isPending} onClick={() => decision.mutate(true)}>
            {text.allow}
          </Button>
          <Button size="md" variant="default" disabled={decision.isPending} onClick={() => decision.mutate(false)}>
            {text.refuse}
          </Button>
        </Group>
      </Stack>
    </Entrance>
  );
}
